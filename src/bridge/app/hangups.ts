import type { Cancel, Clock } from '../../base/time/clock.ts';
import { findTurn, openAsks } from '../../domain/state/session.ts';
import { isSettled } from '../../domain/state/turn.ts';
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

/** A hub that dies takes all its connections along; nobody presses stop in two chats at once. Milliseconds. */
const togetherMs = 250;
/** Between two connections of one process that died, milliseconds. */
const lossMs = 2_000;

/** The hub's own port, whose connections break with it, too. */
export interface HubPort {
  /** When the hub was seen to be gone last, monotonic ms. */
  readonly lostAt: number | undefined;
  /** Finds out whether it still is there; `lostAt` tells. */
  look(): void;
}

interface Attendance {
  key: string;
  /** Requests that read the turn now. */
  readers: number;
  /** When the last of them came, monotonic ms. */
  came: number;
  /** Runs while the client is away; `at` is when it left, monotonic ms. */
  away?: { at: number; cancel: Cancel };
  /** The client came back at least once, so it retries. */
  returned: boolean;
}

/**
 * Interrupts Claude when the hub's client hung up for good: that is what `/stop` looks like from here. A hub that went
 * away has stopped nothing: its turns go on, and whoever comes back reads them.
 */
export class Hangups {
  readonly #dispatcher: Dispatcher;
  readonly #clock: Clock;
  readonly #hub: HubPort;
  /** By turn; kept until the turn is over. */
  readonly #turns = new Map<string, Attendance>();

  constructor(dispatcher: Dispatcher, clock: Clock, hub: HubPort) {
    this.#dispatcher = dispatcher;
    this.#clock = clock;
    this.#hub = hub;
  }

  /** A request starts to read this turn. @param repeats it says itself that an attempt before it failed */
  attached(key: string, turn: string, repeats: boolean): void {
    const { readers = 0, away, returned } = this.#turns.get(turn) ?? {};
    away?.cancel();
    const back = repeats || returned === true || away !== undefined;
    this.#turns.set(turn, { key, readers: readers + 1, came: this.#clock.now(), returned: back });
  }

  /** Its connection closed before the answer was complete. */
  left(key: string, turn: string): void {
    const { readers = 1, returned = false, came = 0 } = this.#turns.get(turn) ?? {};
    // A connection may die long after its client has noticed and come back on another.
    if (readers > 1) return void this.#turns.set(turn, { key, readers: readers - 1, came, returned: true });
    // Behind the end of its turn there is nothing that a `/stop` would have to end.
    if (this.#isOver(key, turn)) this.#forget(turn);
    else this.#wait(key, turn, returned, this.#clock.now());
    this.#hub.look();
  }

  /** A response was read to its end. The turn may go on, and the client's pauses keep growing. */
  done(turn: string): void {
    const attendance = this.#turns.get(turn);
    if (attendance) attendance.readers -= 1;
    for (const [id, { key, readers }] of this.#turns)
      if (readers === 0 && this.#isOver(key, id)) this.#forget(id);
  }

  #forget(turn: string): void {
    this.#turns.get(turn)?.away?.cancel();
    this.#turns.delete(turn);
  }

  #wait(key: string, turn: string, returned: boolean, at: number): void {
    const ms = returned ? laterGraceMs : firstGraceMs;
    const cancel = this.#clock.after(ms, () => {
      const gone = this.#goneWith(at);
      if (gone.length > 0) for (const each of gone) this.#forget(each);
      // Nothing goes on that a `/stop` would have to end; and on a slow machine the first retry takes its time.
      else if (!returned && this.#waitsForClient(key, turn)) this.#wait(key, turn, true, at);
      else this.#stop(key, turn);
    });
    this.#turns.set(turn, { key, readers: 0, came: 0, returned, away: { at, cancel } });
  }

  /** The turns that lost their readers because the hub went away, and not one of its clients; none if it is still there. */
  #goneWith(at: number): string[] {
    const all = [...this.#turns];
    const together = all.filter(([, { away }]) => away && Math.abs(away.at - at) <= togetherMs);
    const stayed = all.some(([, { readers, came }]) => readers > 0 && came < at);
    const several = new Set(together.map(([, { key }]) => key)).size > 1;
    const { lostAt } = this.#hub;
    const lost = lostAt !== undefined && lostAt >= at - lossMs;
    return lost || (several && !stayed) ? together.map(([id]) => id) : [];
  }

  #stop(key: string, turn: string): void {
    this.#forget(turn);
    if (!this.#isOver(key, turn)) this.#dispatcher.dispatch(key, { type: 'turn.cancel', turn, by: hungUp });
  }

  /** Claude does: for the result of a tool of the hub, or for the answer to a question. */
  #waitsForClient(key: string, id: string): boolean {
    const session = this.#dispatcher.session(key);
    if (!session) return false;
    const calls = session.calls.filter(({ provider }) => provider === undefined);
    return [...calls, ...openAsks(session)].some(({ turn }) => turn === id);
  }

  #isOver(key: string, id: string): boolean {
    const session = this.#dispatcher.session(key);
    const turn = session && findTurn(session, id);
    return !turn || isSettled(turn);
  }
}

/** Who cancelled a turn whose client went away. */
export const hungUp = 'the client hung up';
