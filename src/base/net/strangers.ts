import type { Socket } from 'node:net';

/**
 * Connections that have not shown a token yet. One too many ends the one that has been a stranger longest: whoever
 * holds a token shows it at once, and so is never crowded out by those who only sit there.
 */
export class Strangers {
  readonly #most: number;
  /** Oldest first. */
  readonly #sockets = new Set<Socket>();

  constructor(most: number) {
    this.#most = most;
  }

  add(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    const [oldest] = this.#sockets;
    if (this.#sockets.size > this.#most) oldest?.destroy();
  }

  /** It showed a token that fits: it may stay as long as it likes. */
  proved(socket: Socket): void {
    this.#sockets.delete(socket);
  }
}
