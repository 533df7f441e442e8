// Vectors of parts of notes, by the hash of what was embedded: the same text is never embedded twice.

/** A part of a note that is near. */
export interface Near {
  /** Hex, of what was embedded. */
  hash: string;
  /** Cosine, at most 1. */
  score: number;
}

/** What is near, out of how many. */
export interface Nearest {
  /** The nearest first. */
  near: Near[];
  /** Vectors that were looked at. Whoever expects more of them knows that some are missing. */
  of: number;
}

/** What keeps vectors; one folder holds those of one identity (see `Embedder`). */
export interface VectorStore {
  /** Which there are, hex. Damaged ones are none. @throws StoreDamage */
  known(): Promise<Set<string>>;
  /** @param vectors each of length 1, or of zeros, which are near nothing; all of the same dimensions. A known one is replaced. @throws OtherDimensions */
  put(vectors: readonly { hash: string; vector: Float32Array }[]): Promise<void>;
  /** Removes all others. */
  keep(hashes: ReadonlySet<string>): Promise<void>;
  /**
   * Nearly all of those that a look at every vector would give, and never one of zeros.
   *
   * @throws StoreDamage when one of them is not what was put, OtherDimensions
   */
  nearest(query: Float32Array, limit: number): Promise<Nearest>;
  /** Idempotent. */
  close(): Promise<void>;
}

/** What is kept is not what was put. It can be made anew: it is a copy of what the notes and the model give. */
export class StoreDamage extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreDamage';
  }
}

/** A vector of another length than those that are kept: of another model, or of none. Nothing was put. */
export class OtherDimensions extends Error {
  /** @param given of the vector @param kept of the others */
  constructor(given: number, kept: number) {
    super(`a vector of ${given} numbers where others have ${kept}`);
    this.name = 'OtherDimensions';
  }
}
