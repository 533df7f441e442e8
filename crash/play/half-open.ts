// A network between clients and the bridge in which connections die without a word to either side.

import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';

interface Pair {
  client: Socket;
  bridge: Socket;
  dead: boolean;
}

export class HalfOpen implements AsyncDisposable {
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();

  private constructor(port: number) {
    this.#server = createServer((client) => {
      const bridge = connect(port, '127.0.0.1');
      const pair: Pair = { client, bridge, dead: false };
      this.#pairs.add(pair);
      this.#join(pair, client, bridge);
      this.#join(pair, bridge, client);
    });
  }

  /** @param port of the bridge on loopback */
  static async to(port: number): Promise<HalfOpen> {
    const proxy = new HalfOpen(port);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /**
   * From now on nothing of what is open passes, no end either. Either side may go on writing.
   * @param swallow whether what is written is taken, as by a network that still acknowledges, or left lying
   * @returns how many connections there were
   */
  freeze(swallow: boolean): number {
    const open = [...this.#pairs].filter(({ dead }) => !dead);
    for (const pair of open) {
      pair.dead = true;
      if (swallow) continue;
      pair.client.pause();
      pair.bridge.pause();
    }
    return open.length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { client, bridge } of this.#pairs) {
      client.destroy();
      bridge.destroy();
    }
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(pair: Pair, from: Socket, to: Socket): void {
    from.on('data', (bytes) => {
      if (!pair.dead) to.write(bytes);
    });
    from.on('end', () => {
      if (!pair.dead) to.end();
    });
    from.on('close', () => {
      if (pair.dead) return;
      this.#pairs.delete(pair);
      to.destroy();
    });
    from.on('error', () => {});
  }
}
