// Stands between a provider and its client and breaks what it is told to break.
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What happens to one request. Bytes are those of the response's body. */
export type Fault =
  | { kind: 'none' }
  /** Every piece of the answer comes later, but all of them come. */
  | { kind: 'slow'; ms: number }
  /** Nothing more comes, until the client has waited long enough and closes the connection. */
  | { kind: 'stall'; afterBytes: number; ms: number }
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
  /** False when the answer was too short for the fault to hit it. */
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

  /** How many requests were really hit. @param kinds all when none is named */
  struck(...kinds: Fault['kind'][]): number {
    const asked = (kind: Fault['kind']) => kinds.length === 0 || kinds.includes(kind);
    return this.seen.filter(({ struck, fault }) => struck && asked(fault.kind)).length;
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
      if (!response.writableFinished && !isUnnoticed(fault)) onward.destroy();
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
    let left = 'afterBytes' in fault ? fault.afterBytes : Number.POSITIVE_INFINITY;
    try {
      for await (const piece of answer as AsyncIterable<Buffer>) {
        // What a provider still sends that believes in its connection.
        if (left < 0) continue;
        if (fault.kind === 'slow') await this.#delay(fault.ms, seen);
        response.write(piece.subarray(0, left));
        left -= piece.length;
        if (left >= 0) continue;
        await this.#strike(answer, response, seen);
        if (!isUnnoticed(fault)) return;
      }
    } catch {
      response.destroy();
    }
    if (left >= 0) response.end();
  }

  async #delay(ms: number, seen: Seen): Promise<void> {
    seen.struck = true;
    await new Promise((resolve) => setTimeout(resolve, ms));
  }

  async #strike(answer: IncomingMessage, response: ServerResponse, seen: Seen): Promise<void> {
    const { fault } = seen;
    seen.struck = true;
    if (fault.kind === 'stall') await this.#delay(fault.ms, seen);
    if (fault.kind === 'half') response.end();
    else response.socket?.destroy();
    if (!isUnnoticed(fault)) answer.destroy();
  }
}

/** The provider believes that everything arrived. */
const isUnnoticed = (fault: Fault): boolean => fault.kind === 'reset' && fault.provider === 'drain';
