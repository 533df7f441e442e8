import type { Cancel, Clock } from '../../base/clock.ts';
import { findTurn, isSettled } from '../../domain/session.ts';
import type { Dispatcher } from './dispatcher.ts';

/**
 * How long a turn goes on without its client, milliseconds. OpenClaw's `/stop` closes the connection and stays away;
 * after a failure it comes back within about a second, then more and more slowly (measured on 2026.9.6: 1 to 30 s).
 */
const firstGraceMs = 3_000;
const laterGraceMs = 60_000;

/** Interrupts Claude when the hub's client hung up for good: that is what `/stop` looks like from here. */
export class Hangups {
  readonly #dispatcher: Dispatcher;
  readonly #clock: Clock;
  /** Turn → the running grace time, and whether a client came back before. */
  readonly #left = new Map<string, { cancel: Cancel; returned: boolean }>();

  constructor(dispatcher: Dispatcher, clock: Clock) {
    this.#dispatcher = dispatcher;
    this.#clock = clock;
  }

  /** A request starts to read this turn. */
  attached(turn: string): void {
    const left = this.#left.get(turn);
    left?.cancel();
    if (left) this.#left.set(turn, { cancel: () => {}, returned: true });
  }

  /** Its connection closed before the answer was complete. */
  left(key: string, turn: string): void {
    const returned = this.#left.get(turn)?.returned ?? false;
    const cancel = this.#clock.after(returned ? laterGraceMs : firstGraceMs, () => this.#stop(key, turn));
    this.#left.set(turn, { cancel, returned });
  }

  /** The answer was read to its end, or the turn is over. */
  done(turn: string): void {
    this.#left.get(turn)?.cancel();
    this.#left.delete(turn);
  }

  #stop(key: string, id: string): void {
    this.#left.delete(id);
    const session = this.#dispatcher.session(key);
    const turn = session && findTurn(session, id);
    if (turn && !isSettled(turn))
      this.#dispatcher.dispatch(key, { type: 'turn.cancel', turn: id, by: hungUp });
  }
}

/** Who cancelled a turn whose client went away. */
export const hungUp = 'the client hung up';
