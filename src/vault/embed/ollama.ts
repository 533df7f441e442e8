// Vectors of a model that Ollama runs. What of it fails was seen in the reports of others (docs/decisions).
import { type Embedder, EmbedError, type EmbedRole, normalised } from './embedder.ts';
import { OllamaApi, OllamaRefusal } from './ollama-api.ts';
import { prefixesOf } from './prefixes.ts';

export interface OllamaOptions {
  /** `http://127.0.0.1:11434` */
  url: string;
  /** With or without a tag; without one it is `:latest`. */
  model: string;
}

/** A text that is still too long with so few UTF-16 units is not the trouble. */
const shortestHalf = 64;

export class Ollama implements Embedder {
  readonly #api: OllamaApi;
  readonly #model: string;
  /** Of its vectors; 0 before the first. */
  #dimensions = 0;

  constructor({ url, model }: OllamaOptions) {
    this.#api = new OllamaApi(url);
    this.#model = model.includes(':') ? model : `${model}:latest`;
  }

  async identity(signal: AbortSignal): Promise<string> {
    const models = await this.#refused(() => this.#api.models(signal));
    const digest = models.get(this.#model);
    if (digest === undefined) throw this.#noModel();
    const { query, note } = prefixesOf(this.#model);
    return JSON.stringify(['ollama', this.#model, digest, query, note]);
  }

  async embed(
    texts: readonly string[],
    role: EmbedRole,
    signal: AbortSignal,
  ): Promise<(Float32Array | undefined)[]> {
    const prefix = prefixesOf(this.#model)[role];
    return this.#refused(() =>
      this.#each(
        texts.map((text) => prefix + text),
        signal,
      ),
    );
  }

  close(): void {}

  /** One text that it cannot take fails all that came with it: those are asked for one by one then. */
  async #each(texts: readonly string[], signal: AbortSignal): Promise<(Float32Array | undefined)[]> {
    try {
      return this.#vectors(await this.#api.embed(this.#model, texts, signal), texts.length);
    } catch (error) {
      const isBad = error instanceof OllamaRefusal && (error.status === 400 || error.status === 500);
      if (!isBad) throw error;
      if (texts.length > 1) {
        const each: (Float32Array | undefined)[] = [];
        for (const text of texts) each.push(...(await this.#each([text], signal)));
        return each;
      }
      const [text = ''] = texts;
      // Never the same text again: that it is cut by Ollama itself is not so in several of its versions.
      if (error.isTooLong && text.length > shortestHalf)
        return this.#each([text.slice(0, text.length / 2).toWellFormed()], signal);
      return [undefined];
    }
  }

  /** @throws EmbedError `nonsense` */
  #vectors(given: (number | null)[][], wanted: number): (Float32Array | undefined)[] {
    if (given.length !== wanted) throw nonsense(`${given.length} vectors for ${wanted} texts`);
    return given.map((numbers) => {
      this.#dimensions ||= numbers.length;
      if (numbers.length !== this.#dimensions || numbers.length === 0)
        throw nonsense(`a vector of ${numbers.length} numbers where others have ${this.#dimensions}`);
      // JSON has no NaN: some write null.
      return numbers.includes(null) ? undefined : normalised(numbers as number[]);
    });
  }

  async #refused<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof OllamaRefusal)) throw error;
      if (error.status === 404) throw this.#noModel();
      const words = 'Ollama takes no more at the moment.';
      if (error.status === 503 || error.status === 429)
        throw new EmbedError('busy', words, 'Ask again in a moment.', { cause: error });
      throw nonsense(`it refused with ${error.status}`);
    }
  }

  #noModel(): EmbedError {
    const name = this.#model.replace(/:latest$/, '');
    return new EmbedError(
      'no_model',
      `Ollama does not have the model ${name}.`,
      `Get it: \`ollama pull ${name}\`.`,
    );
  }
}

const nonsense = (why: string): EmbedError =>
  new EmbedError(
    'nonsense',
    `Ollama answered with something that cannot be used: ${why}.`,
    'Look whether its model makes embeddings, and whether it is up to date.',
  );
