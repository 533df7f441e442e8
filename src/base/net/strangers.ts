import type { Socket } from 'node:net';
import type { Clock } from '../time/clock.ts';
import { IdleLimit, type IdleLimits } from './idle-limit.ts';

/**
 * Connections that have not shown a token yet. One too many ends the one that has been a stranger longest, once it has had
 * its time: whoever holds a token shows it at once, and so is never crowded out by those who only sit there.
 */
export class Strangers {
  readonly #idle: IdleLimit<Socket>;

  constructor(limits: IdleLimits, clock: Pick<Clock, 'now' | 'after'>) {
    this.#idle = new IdleLimit(limits, (socket) => socket.destroy(), clock);
  }

  add(socket: Socket): void {
    this.#idle.add(socket);
    socket.once('close', () => this.#idle.delete(socket));
  }

  /** It showed a token that fits: it may stay as long as it likes. */
  proved(socket: Socket): void {
    this.#idle.delete(socket);
  }

  /** Ends nobody any more. Idempotent. */
  close(): void {
    this.#idle.close();
  }
}
