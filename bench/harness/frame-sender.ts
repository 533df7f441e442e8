import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Frame } from './frame-source.ts';

/** The client side of one session's frame source. */
export class FrameSender {
  readonly #socket: WebSocket;
  #index = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  /** @param url what `frameSource` returned */
  static async connect(url: string, session: string): Promise<FrameSender> {
    const socket = new WebSocket(`${url}/${session}`, { perMessageDeflate: false });
    await once(socket, 'open');
    return new FrameSender(socket);
  }

  send(text: string): void {
    const frame: Frame = { index: this.#index++, text };
    this.#socket.send(JSON.stringify(frame));
  }

  /** Sends `texts` texts, `window` of which may be on their way. Resolves when all of them are safe. */
  async sendAcked(texts: readonly string[], window: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    let [sent, safe] = [0, 0];
    const next = () => {
      const text = texts[sent++];
      if (text === undefined) return;
      const frame: Frame = { index: this.#index++, text, acked: true };
      this.#socket.send(JSON.stringify(frame));
    };
    const acked = () => {
      safe += 1;
      if (safe === texts.length) resolve();
      next();
    };
    this.#socket.on('message', acked);
    while (sent < window) next();
    await promise.finally(() => this.#socket.off('message', acked));
  }

  close(): void {
    this.#socket.terminate();
  }
}
