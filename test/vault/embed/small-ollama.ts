// A server that speaks Ollama's API as its documentation has it, and fails in every way that was reported of the real one.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export type Trouble =
  | 'none'
  | 'hangs'
  | 'half'
  | 'busy'
  | 'missing'
  | 'missing, pull'
  | 'html'
  | 'nan'
  | 'null'
  | 'fewer'
  | 'dimensions'
  | 'bad item'
  | 'error';

export class SmallOllama {
  trouble: Trouble = 'none';
  /** Of the model. */
  digest = 'abc';
  /** UTF-16 units that it reads. */
  context = 8_000;
  /** Answers come so late, milliseconds. */
  late = 0;
  readonly asked: { path: string; input: string[] }[] = [];
  readonly #server: Server;
  readonly #port: number;
  readonly #embed: (text: string) => number[];

  private constructor(server: Server, embed: (text: string) => number[]) {
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
    this.#embed = embed;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Nobody listens there any more. */
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** After `stop`: at the same address. */
  async again(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
  }

  static async start(embed: (text: string) => number[] = lettersOf): Promise<SmallOllama> {
    let small: SmallOllama | undefined;
    const server = createServer((request, response) => void small?.answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    small = new SmallOllama(server, embed);
    return small;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    const body = request.method === 'POST' ? ((await json(request)) as { input?: string | string[] }) : {};
    const input = [body.input ?? []].flat();
    this.asked.push({ path, input });
    if (this.late > 0) await new Promise((resolve) => setTimeout(resolve, this.late));
    const send = (status: number, value: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (path === '/api/tags' && !['html', 'hangs'].includes(this.trouble))
      return void send(200, {
        models: [{ name: 'small:latest', model: 'small:latest', digest: this.digest }],
      });
    switch (this.trouble) {
      case 'hangs':
        return;
      case 'half':
        return void response.writeHead(200).end('{"embeddings":[[0.1,');
      case 'busy':
        return void send(503, { error: 'server busy, please try again. maximum pending requests exceeded' });
      case 'missing':
        return void send(404, { error: "model 'small' not found" });
      case 'missing, pull':
        return void send(404, { error: 'model "small" not found, try pulling it first' });
      case 'html':
        return void response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>');
      case 'nan':
        return void send(400, { error: 'embedding contains NaN or Inf values' });
      case 'error':
        return void send(500, { error: 'llama runner process no longer running' });
      case 'bad item':
        if (input.some((text) => text.includes('poison')))
          return void send(400, { error: 'invalid input type' });
        break;
      default:
    }
    if (input.some((text) => text.length > this.context))
      return void send(400, { error: 'the input length exceeds the context length' });
    const embeddings = input.map((text) => this.#embed(text));
    if (this.trouble === 'null')
      return void send(200, { embeddings: embeddings.map((each) => each.map(() => null)) });
    if (this.trouble === 'fewer') return void send(200, { embeddings: embeddings.slice(1) });
    if (this.trouble === 'dimensions')
      return void send(200, { embeddings: embeddings.map((each) => each.slice(1)) });
    send(200, { embeddings });
  }
}

/** How often each letter is there: texts with the same words are near each other. */
export function lettersOf(text: string): number[] {
  const counts = Array.from({ length: 26 }, () => 0.01);
  for (const letter of text.toLowerCase()) {
    const at = letter.charCodeAt(0) - 97;
    if (at >= 0 && at < 26) counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts;
}
