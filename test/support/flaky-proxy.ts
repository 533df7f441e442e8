// Stands between a provider and its client and breaks what it is told to break.
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What happens to one request. Bytes are those of the response's body. */
export type Fault =
  | { kind: 'none' }
  /** Every piece of the answer comes later. */
  | { kind: 'slow'; ms: number }
  /** The connection dies before the provider has seen anything. */
  | { kind: 'refused' }
  /** The connection dies in the middle; the provider notices (`abort`), or believes that all arrived (`drain`). */
  | { kind: 'reset'; afterBytes: number; provider: 'abort' | 'drain' }
  /** The stream ends in order, but too early. */
  | { kind: 'half'; afterBytes: number }
  | { kind: 'status'; status: number };

export interface Seen {
  body: string;
  headers: IncomingMessage['headers'];
  fault: Fault;
  /** False when the answer was too short for the fault. */
  struck: boolean;
}

export class FlakyProxy implements AsyncDisposable {
  readonly #server = createServer((request, response) => void this.#handle(request, response));
  readonly #upstream: () => string;
  /** Chooses what happens to a POST; GETs always pass. */
  plan: (body: string) => Fault = () => ({ kind: 'none' });
  readonly seen: Seen[] = [];

  private constructor(upstream: () => string) {
    this.#upstream = upstream;
  }

  /** @param upstream base URL of the provider, asked for at every request: it may move */
  static async start(upstream: () => string): Promise<FlakyProxy> {
    const proxy = new FlakyProxy(upstream);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** How many requests were really broken. */
  get struck(): number {
    return this.seen.filter(({ struck }) => struck).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined);
    const body = await buffer(request).catch(() => undefined);
    if (!body) return;
    const text = body.toString('utf8');
    const fault: Fault = request.method === 'POST' ? this.plan(text) : { kind: 'none' };
    const struck = fault.kind === 'refused' || fault.kind === 'status';
    const seen: Seen = { body: text, headers: request.headers, fault, struck };
    if (request.method === 'POST') this.seen.push(seen);
    if (fault.kind === 'refused') return void request.socket.destroy();
    if (fault.kind === 'status') {
      response.writeHead(fault.status, { 'content-type': 'application/json' });
      return void response.end('{"error":{"message":"broken on purpose","type":"server_error"}}');
    }
    this.#forward(request, body, response, seen);
  }

  #forward(request: IncomingMessage, body: Buffer, response: ServerResponse, seen: Seen): void {
    const { fault } = seen;
    const url = new URL(request.url ?? '/', this.#upstream());
    const onward = httpRequest(url, {
      method: request.method,
      headers: { ...request.headers, host: url.host },
    });
    const hungUp = () => {
      if (!response.writableFinished && !(fault.kind === 'reset' && fault.provider === 'drain'))
        onward.destroy();
    };
    response.on('close', hungUp);
    onward.on('error', () => request.socket.destroy());
    onward.on('response', (answer) => {
      answer.on('error', () => request.socket.destroy());
      if (!response.headersSent) response.writeHead(answer.statusCode ?? 502, answer.headers);
      void this.#pump(answer, response, seen);
    });
    onward.end(body);
  }

  async #pump(answer: IncomingMessage, response: ServerResponse, seen: Seen): Promise<void> {
    const { fault } = seen;
    let passed = 0;
    try {
      for await (const piece of answer as AsyncIterable<Buffer>) {
        if (seen.struck) continue;
        if (fault.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, fault.ms));
        const left = 'afterBytes' in fault ? fault.afterBytes - passed : Number.POSITIVE_INFINITY;
        response.write(piece.subarray(0, Math.max(0, left)));
        passed += piece.length;
        if (passed <= left + passed - piece.length) continue;
        this.#strike(answer, response, seen);
        if (!(fault.kind === 'reset' && fault.provider === 'drain')) return;
      }
    } catch {
      response.destroy();
    }
    if (!seen.struck) response.end();
  }

  #strike(answer: IncomingMessage, response: ServerResponse, seen: Seen): void {
    seen.struck = true;
    const { fault } = seen;
    if (fault.kind === 'half') {
      response.end();
      answer.destroy();
      return;
    }
    response.socket?.destroy();
    if (fault.kind === 'reset' && fault.provider === 'abort') answer.destroy();
  }
}
