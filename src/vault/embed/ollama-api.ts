// The three requests to Ollama that a vault needs, as its documentation has them (docs/api.md, docs/api/errors.mdx).
import { z } from 'zod';
import { EmbedError } from './embedder.ts';

const Tags = z.object({
  models: z.array(z.looseObject({ name: z.string(), digest: z.string().optional() })),
});
const Embeddings = z.object({ embeddings: z.array(z.array(z.number().nullable())) });
const Refusal = z.object({ error: z.string() });

/** A longer answer is none, bytes. */
const longestAnswer = 64 * 1024 * 1024;

/** What it refused, in its own words; `context` when the text is longer than what the model reads. */
export class OllamaRefusal extends Error {
  readonly status: number;

  constructor(status: number, words: string) {
    super(words);
    this.name = 'OllamaRefusal';
    this.status = status;
  }

  get isTooLong(): boolean {
    return this.status === 400 && /context length|too long|exceeds/i.test(this.message);
  }
}

export class OllamaApi {
  readonly #url: string;

  /** @param url of Ollama */
  constructor(url: string) {
    this.#url = url.replace(/\/$/, '');
  }

  /** The digest of each model that is there, by name with its tag. */
  async models(signal: AbortSignal): Promise<Map<string, string>> {
    const { models } = await this.#ask('/api/tags', undefined, Tags, signal);
    return new Map(models.map(({ name, digest = '' }) => [name, digest]));
  }

  /** @returns what it gives, which need not be one vector for each. @throws OllamaRefusal, EmbedError */
  async embed(model: string, input: readonly string[], signal: AbortSignal): Promise<(number | null)[][]> {
    const body = { model, input, truncate: true, keep_alive: '30m' };
    return (await this.#ask('/api/embed', body, Embeddings, signal)).embeddings;
  }

  async #ask<T>(
    path: string,
    body: object | undefined,
    shape: z.ZodType<T>,
    signal: AbortSignal,
  ): Promise<T> {
    let text: string;
    let status: number;
    try {
      const response = await fetch(`${this.#url}${path}`, {
        signal,
        redirect: 'error',
        ...(body && {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      });
      status = response.status;
      text = await bounded(response);
    } catch (error) {
      if (signal.aborted) throw slow(error);
      throw unreachable(this.#url, error);
    }
    const json = parsed(text);
    if (status !== 200) {
      const refusal = Refusal.safeParse(json);
      if (refusal.success) throw new OllamaRefusal(status, refusal.data.error);
      throw noOllama(`it answered ${path} with ${status}`);
    }
    const read = shape.safeParse(json);
    if (!read.success) throw noOllama(`its answer to ${path} cannot be read`);
    return read.data;
  }
}

/** @throws Error when it is longer than any answer */
async function bounded(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > longestAnswer) throw new Error('the answer has no end');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const slow = (cause: unknown): EmbedError =>
  new EmbedError(
    'slow',
    'Ollama did not answer in time.',
    'A model that was not used for a while takes seconds to load: ask again in a moment.',
    { cause },
  );

const unreachable = (url: string, cause: unknown): EmbedError =>
  new EmbedError(
    'unreachable',
    `Ollama does not answer at ${url}.`,
    'Start it with `ollama serve`, or correct its address in the configuration.',
    { cause },
  );

const noOllama = (why: string): EmbedError =>
  new EmbedError(
    'nonsense',
    `What answers there is no Ollama that can be used: ${why}.`,
    'Look whether another program has that address, and whether Ollama is up to date.',
  );
