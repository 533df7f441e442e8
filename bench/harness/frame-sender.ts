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

  close(): void {
    this.#socket.terminate();
  }
}
