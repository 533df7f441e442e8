// Speaks as much of Ollama's API as a vault asks for, with real vectors behind it: those of the built-in model.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import type { Embedder } from '../../../src/vault/embed/embedder.ts';

const Asked = z.object({ model: z.string(), input: z.array(z.string()) });

/** A vector that was made before. */
export type Known = (text: string) => Float32Array | undefined;

/** A batch takes so long at most, milliseconds. */
const patienceMs = 60_000;

export class EmbeddingServer implements AsyncDisposable {
  /** Of its model, as Ollama has it in a configuration. */
  readonly model = 'sentence-encoder';
  readonly url: string;
  readonly #server: Server;
  readonly #embedder: Embedder;
  readonly #known: Known;

  private constructor(server: Server, embedder: Embedder, known: Known) {
    this.#server = server;
    this.#embedder = embedder;
    this.#known = known;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /**
   * On a free port of this machine.
   *
   * @param embedder its own from now on; not asked for what is known
   */
  static async start(embedder: Embedder, known: Known): Promise<EmbeddingServer> {
    let started: EmbeddingServer | undefined;
    const server = createServer((request, response) => void started?.answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    started = new EmbeddingServer(server, embedder, known);
    return started;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, value: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    try {
      if (request.url === '/api/tags') return void send(200, { models: [this.#described] });
      const { model, input } = Asked.parse(await json(request));
      if (model !== this.#described.name) return void send(404, { error: `model "${model}" not found` });
      send(200, { model, embeddings: await this.#vectors(input) });
    } catch (error) {
      send(500, { error: error instanceof Error ? error.message : String(error) });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    this.#embedder.close();
  }

  get #described() {
    const name = `${this.model}:latest`;
    return { name, model: name, digest: 'of the tests' };
  }

  async #vectors(texts: readonly string[]): Promise<number[][]> {
    const vectors: number[][] = [];
    for (const text of texts) {
      const made = this.#known(text) ?? (await this.#made(text));
      vectors.push([...made]);
    }
    return vectors;
  }

  async #made(text: string): Promise<Float32Array> {
    const [vector] = await this.#embedder.embed([text], 'note', AbortSignal.timeout(patienceMs));
    if (!vector) throw new Error('the model makes no vector of this text');
    return vector;
  }
}
