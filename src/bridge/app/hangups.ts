import type { Cancel, Clock } from '../../base/clock.ts';
import { findTurn, isSettled, openAsks } from '../../domain/session.ts';
import type { Dispatcher } from './dispatcher.ts';

/**
 * How long a turn goes on without its client, milliseconds. OpenClaw's `/stop` closes the connection and stays away;
 * after a failure it comes back. Its first pause is 0.5 to 1.5 s and each later one twice as long, up to 30 s, counted
 * over the whole run with its tool calls (2026.9.6, read in its source). On a machine with work for eight processors on
 * each of its own, the first retry took up to 6.6 s to get here (measured). Claude's work of these seconds is the price
 * of never cutting off an answer that somebody waits for.
 */
const firstGraceMs = 10_000;
const laterGraceMs = 60_000;

interface Attendance {
  key: string;
  /** Requests that read the turn now. */
  readers: number;
  /** Runs while the client is away. */
  grace?: Cancel;
  /** The client came back at least once, so it retries. */
  returned: boolean;
}

/** Interrupts Claude when the hub's client hung up for good: that is what `/stop` looks like from here. */
export class Hangups {
  readonly #dispatcher: Dispatcher;
  readonly #clock: Clock;
  /** By turn; kept until the turn is over. */
  readonly #turns = new Map<string, Attendance>();

  constructor(dispatcher: Dispatcher, clock: Clock) {
    this.#dispatcher = dispatcher;
    this.#clock = clock;
  }

  /** A request starts to read this turn. @param repeats it says itself that an attempt before it failed */
  attached(key: string, turn: string, repeats: boolean): void {
    const { readers = 0, grace, returned } = this.#turns.get(turn) ?? {};
    grace?.();
    const back = repeats || returned === true || grace !== undefined;
    this.#turns.set(turn, { key, readers: readers + 1, returned: back });
  }

  /** Its connection closed before the answer was complete. */
  left(key: string, turn: string): void {
    const { readers = 1, returned = false } = this.#turns.get(turn) ?? {};
    // A connection may die long after its client has noticed and come back on another.
    if (readers > 1) return void this.#turns.set(turn, { key, readers: readers - 1, returned: true });
    this.#wait(key, turn, returned);
  }

  /** A response was read to its end. The turn may go on, and the client's pauses keep growing. */
  done(turn: string): void {
    const attendance = this.#turns.get(turn);
    if (attendance) attendance.readers -= 1;
    for (const [id, { key, readers }] of this.#turns)
      if (readers === 0 && this.#isOver(key, id)) this.#forget(id);
  }

  #forget(turn: string): void {
    this.#turns.get(turn)?.grace?.();
    this.#turns.delete(turn);
  }

  #wait(key: string, turn: string, returned: boolean): void {
    const ms = returned ? laterGraceMs : firstGraceMs;
    const grace = this.#clock.after(ms, () => {
      // Nothing goes on that a `/stop` would have to end; and on a slow machine the first retry takes its time.
      if (!returned && this.#waitsForClient(key, turn)) this.#wait(key, turn, true);
      else this.#stop(key, turn);
    });
    this.#turns.set(turn, { key, readers: 0, returned, grace });
  }

  #stop(key: string, turn: string): void {
    this.#forget(turn);
    if (!this.#isOver(key, turn)) this.#dispatcher.dispatch(key, { type: 'turn.cancel', turn, by: hungUp });
  }

  /** Claude does: for the result of a tool of the hub, or for the answer to a question. */
  #waitsForClient(key: string, id: string): boolean {
    const session = this.#dispatcher.session(key);
    return session !== undefined && [...session.calls, ...openAsks(session)].some(({ turn }) => turn === id);
  }

  #isOver(key: string, id: string): boolean {
    const session = this.#dispatcher.session(key);
    const turn = session && findTurn(session, id);
    return !turn || isSettled(turn);
  }
}

/** Who cancelled a turn whose client went away. */
export const hungUp = 'the client hung up';
