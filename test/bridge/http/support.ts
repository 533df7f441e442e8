import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A raw connection, for what no HTTP client would send. */
export class RawClient {
  readonly socket: Socket;
  #received = '';

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (data) => {
      this.#received += String(data);
    });
    socket.on('error', () => {});
  }

  static async open(url: string): Promise<RawClient> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const client = new RawClient(socket);
    await once(socket, 'connect');
    return client;
  }

  send(...lines: string[]): this {
    this.socket.write(lines.join('\r\n'));
    return this;
  }

  /** @returns the status of the first answer; 0 when the connection ended without one */
  async status(): Promise<number> {
    while (!this.#received.includes('\r\n') && !this.socket.closed)
      await Promise.race([once(this.socket, 'data'), once(this.socket, 'close')]);
    return Number(/^HTTP\/1\.1 (\d+)/.exec(this.#received)?.[1] ?? 0);
  }

  async closed(): Promise<void> {
    if (!this.socket.closed) await once(this.socket, 'close');
  }
}

/** Sends one request with these header lines and waits for its status. */
export async function statusOf(url: string, request: string, ...headers: string[]): Promise<number> {
  const client = await RawClient.open(url);
  const status = await client.send(`${request} HTTP/1.1`, ...headers, 'connection: close', '', '').status();
  client.socket.destroy();
  return status;
}
