// What turns texts into vectors. One is chosen in the configuration; without one the vault finds words alone.

/** Why there are no vectors. */
export type EmbedFault =
  /** It is not installed. */
  | 'missing'
  /** Nothing answers there, or something else than was expected. */
  | 'unreachable'
  /** It is there, and does not have the model. */
  | 'no_model'
  /** It takes no more at the moment. */
  | 'busy'
  /** No answer in time. */
  | 'slow'
  /** It answered with something that is no vector for each text. */
  | 'nonsense';

/** Nothing was embedded. The message is for people: no address with a password, no stack. */
export class EmbedError extends Error {
  readonly fault: EmbedFault;
  /** What to do next. */
  readonly suggestion: string;

  constructor(fault: EmbedFault, message: string, suggestion: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EmbedError';
    this.fault = fault;
    this.suggestion = suggestion;
  }
}

/** A question, or a part of a note: some models want to know which. */
export type EmbedRole = 'query' | 'note';

/** Asked for to see whether a model can be asked: one that makes no vector of this makes none of anything. */
export const anyWord = 'notes';

export interface Embedder {
  /**
   * What its vectors may be compared with: those of the same identity. The model's digest is in it.
   *
   * @throws EmbedError
   */
  identity(signal: AbortSignal): Promise<string>;

  /**
   * @param texts none of them empty
   * @returns for each a vector of length 1, or undefined where the model makes none of that text
   * @throws EmbedError when there is none for any of them
   */
  embed(
    texts: readonly string[],
    role: EmbedRole,
    signal: AbortSignal,
  ): Promise<(Float32Array | undefined)[]>;

  /** Idempotent. */
  close(): void;
}

/** Of length 1, so that a product of two is their cosine; undefined for what has no direction. */
export function normalised(numbers: readonly number[]): Float32Array | undefined {
  let sum = 0;
  for (const number of numbers) sum += number * number;
  if (!Number.isFinite(sum) || sum === 0) return undefined;
  const length = Math.sqrt(sum);
  return Float32Array.from(numbers, (number) => number / length);
}
