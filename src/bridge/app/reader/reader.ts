// A request is not a turn: it is a reader with a cursor on the turns of a conversation. It may end before the turn does.
import type { Clock } from '../../../base/time/clock.ts';
import { isForChat } from '../../../domain/state/errands.ts';
import { type Ask, findTurn, type Session } from '../../../domain/state/session.ts';
import { holdOf, isSettled, type Turn } from '../../../domain/state/turn.ts';
import type { Dispatcher } from '../dispatcher.ts';
import { type Cursor, nextText, startCursor } from './cursor.ts';
import { type FollowUp, followUp } from './follow-ups.ts';
import type { ReaderItem, ReadOptions } from './reader-item.ts';
import { Readings } from './readings.ts';
import { asksOf, callsOf, isAwaited, leftAsks } from './waits.ts';
import { Wake } from './wake.ts';

/** Milliseconds for whoever reads to take the last words of a bridge that stops. */
const goodbyeMs = 2_000;

interface Closing {
  turn: Turn;
  cursor: Cursor;
  why: 'finished' | 'tool_calls' | 'question' | 'kept';
  /** Questions that were asked beside it. */
  asks?: readonly Ask[];
}

/** Reads turns for requests. Several may read one turn; only one of them also reads what was left unread before it. */
export class Readers {
  readonly #dispatcher: Dispatcher;
  readonly #clock: Clock;
  readonly #readings: Readings;
  readonly #wakes = new Set<Wake>();
  /** Those who are told when the bridge stops. */
  readonly #leavers = new Set<Wake>();
  #stopping = false;
  #left = () => {};

  constructor(dispatcher: Dispatcher, clock: Clock) {
    this.#dispatcher = dispatcher;
    this.#clock = clock;
    this.#readings = new Readings(clock);
  }

  /** Whether a reader hands out this turn now. */
  isRead(turn: string): boolean {
    return this.#readings.isRead(turn);
  }

  /**
   * Hands a turn out in another way: readers that begin from now on wait until the returned function is called, or for
   * `ms` milliseconds.
   *
   * @returns undefined when one reads it now
   */
  hold(turn: string, ms: number): (() => void) | undefined {
    if (this.#readings.isRead(turn)) return undefined;
    const reading = this.#readings.begin([turn], ms);
    reading.leaving = true;
    return () => reading.close();
  }

  /** Makes the readers of a conversation look again: something changed that no event tells. */
  nudge(key: string): void {
    for (const wake of this.#wakes) if (wake.key === key) wake.ring();
  }

  /**
   * The bridge stops: whoever reads a turn that has not ended is told so, and leaves. Resolves when all have left, after
   * `goodbyeMs` at the latest.
   */
  async stop(): Promise<void> {
    this.#stopping = true;
    const enough = Promise.withResolvers<void>();
    const cancel = this.#clock.after(goodbyeMs, enough.resolve);
    this.#left = () => {
      if (this.#leavers.size === 0) enough.resolve();
    };
    for (const wake of this.#leavers) wake.ring();
    this.#left();
    await enough.promise;
    cancel();
  }

  /** Ends with `end`: after the target turn is settled, or at a tool call or question. Stops when the signal aborts. */
  async *read(options: ReadOptions): AsyncGenerator<ReaderItem, void, void> {
    // Whoever answers a question may be faster than the news that the question arrived.
    await this.#readings.left(
      this.#upTo(options).map(({ id }) => id),
      options.signal,
    );
    const turns = this.#unread(options);
    const reading = this.#readings.begin(turns);
    const wake = new Wake(this.#dispatcher, options.key, options.signal);
    this.#wakes.add(wake);
    if (options.leaves) this.#leavers.add(wake);
    const read: Closing[] = [];
    const answered: Ask[] = [];
    try {
      for (const id of turns) {
        answered.push(...(yield* this.#outcomes(id, options)));
        let cursor: Cursor | undefined;
        let closing: Closing | undefined;
        // In this generator itself: one that it delegates to would cost each text a promise more.
        while (!closing && !wake.ended) {
          const { version } = wake;
          const session = this.#dispatcher.session(options.key);
          const turn = session && findTurn(session, id);
          if (!turn) break;
          cursor ??= startCursor(turn, options);
          const text = nextText(turn, cursor);
          if (text) yield text;
          else if (this.#goesOn(session, turn, options)) await wake.changed(version);
          else closing = yield* this.#ending(session, turn, cursor, options, wake);
        }
        // Whoever leaves a turn of which nothing was handed out has not read it.
        if (closing && !(closing.why === 'kept' && closing.cursor.fresh)) read.push(closing);
        if (closing?.why !== 'finished') break;
        const more = id === turns.at(-1) ? await this.#followUp(turns, options, wake) : undefined;
        if (more) turns.push(more.turn);
      }
      yield* this.#stored(options.key, read, wake);
      reading.leaving = read.some(({ why }) => why !== 'finished');
      if (!wake.ended) yield { kind: 'end' };
      if (wake.ended) return;
      for (const { code } of answered) this.#tell(options.key, code, 'outcome');
      for (const closing of read) this.#close(closing, options);
    } finally {
      this.#wakes.delete(wake);
      this.#leavers.delete(wake);
      wake.close();
      reading.close();
      this.#left();
    }
  }

  /** The turn that goes on with an unattended run, once there is one; undefined when the run is over. */
  async #followUp(
    read: readonly string[],
    { key, interactive, leaves }: ReadOptions,
    wake: Wake,
  ): Promise<Exclude<FollowUp, 'wait'>> {
    while (interactive && !wake.ended && !(this.#stopping && leaves)) {
      const { version } = wake;
      const session = this.#dispatcher.session(key);
      const more = session && followUp(session, read);
      if (more !== 'wait') return more;
      await wake.changed(version);
    }
    return undefined;
  }

  /** The turns up to the target, oldest first; none when the target is not known. */
  #upTo({ key, target }: ReadOptions): readonly Turn[] {
    const turns = this.#dispatcher.session(key)?.turns ?? [];
    return turns.slice(0, turns.findIndex(({ id }) => id === target) + 1);
  }

  /**
   * The target, after the unread turns before it that nobody else is reading, and those that got lost. An operator follows
   * one message alone.
   */
  #unread(options: ReadOptions): string[] {
    const { request, lost, alone = false } = options;
    if (!options.interactive) return [options.target];
    const before = [...this.#upTo(options)];
    const target = before.pop();
    if (!target) return [];
    const unread = before.filter(
      (turn) =>
        turn.ingress === target.ingress &&
        isForChat(turn) &&
        (lost?.has(turn.id) ||
          turn.reads.some((read) => read.request === request) ||
          (!turn.answered && (alone || !this.#readings.isRead(turn.id)))),
    );
    return [...unread, target].map(({ id }) => id);
  }

  /** Whether there is nothing to do for a reader that has all of the text: the turn goes on. */
  #goesOn(session: Session, turn: Turn, { leaves, interactive }: ReadOptions): boolean {
    if (isSettled(turn) || (this.#stopping && leaves)) return false;
    // What is being stopped waits for nobody any more.
    return !interactive || turn.cancelledBy !== undefined || !isAwaited(session, turn);
  }

  /** A client that was told the end must not hear after a crash that the turn was cut off. */
  async *#stored(key: string, read: readonly Closing[], wake: Wake): AsyncGenerator<ReaderItem, void, void> {
    if (wake.ended) return;
    const turn = read.at(-1)?.turn;
    if ((await this.#isStored(key)) || !turn) return;
    const code = this.#dispatcher.keeper === 'disk' ? 'disk_failed' : 'machine_lost';
    // A turn that was ended for that reason has said so.
    if (turn.phase.name !== 'settled' || turn.phase.code !== code) yield { kind: 'not_kept', turn, code };
  }

  /** Resolves with true once it is, with false when it never will be: the disk failed, or the machine has lost it. */
  #isStored(key: string): Promise<boolean> {
    return this.#dispatcher.stored(key).then(
      () => true,
      () => false,
    );
  }

  /** How the questions of this turn that a chat has seen were answered elsewhere, once. */
  async *#outcomes(id: string, { key, interactive }: ReadOptions): AsyncGenerator<ReaderItem, Ask[], void> {
    const session = this.#dispatcher.session(key);
    const turn = session && findTurn(session, id);
    if (!turn || !interactive) return [];
    const asks = session.asks.filter(
      (ask) => ask.turn === id && ask.told === 'question' && ask.state.name !== 'asked',
    );
    const elsewhere = asks.filter(({ state }) => state.name !== 'asked' && state.by !== 'chat');
    if (elsewhere.length > 0) yield { kind: 'outcome', turn, asks: elsewhere };
    return asks;
  }

  /** What ends the reading of a turn of which there is no more text. @returns undefined when it is to be looked at again */
  async *#ending(
    session: Session,
    turn: Turn,
    cursor: Cursor,
    options: ReadOptions,
    wake: Wake,
  ): AsyncGenerator<ReaderItem, Closing | undefined, void> {
    if (isSettled(turn)) {
      const isLast = turn.id === options.target && options.interactive;
      const asks = isLast ? await this.#toAsk(leftAsks(session, turn), options) : [];
      if (asks.length > 0) yield { kind: 'question', turn, asks };
      yield { kind: 'settled', turn };
      return { turn, cursor, why: 'finished', asks };
    }
    if (this.#stopping && options.leaves) {
      yield { kind: 'kept', turn };
      return { turn, cursor, why: 'kept' };
    }
    const hold = holdOf(turn);
    if (hold) {
      const asks = await this.#toAsk(leftAsks(session, turn), options);
      if (asks.length > 0) yield { kind: 'question', turn, asks };
      yield { kind: 'held', turn, hold };
      return { turn, cursor, why: 'kept', asks };
    }
    const { version } = wake;
    const why = yield* this.#awaited(session, turn, cursor, options, wake);
    if (why === false) await wake.changed(version);
    return why ? { turn, cursor, why } : undefined;
  }

  /** What ends this response while the turn goes on, or waits: tool calls for the hub, something for a human. */
  async *#awaited(
    session: Session,
    turn: Turn,
    cursor: Cursor,
    options: ReadOptions,
    wake: Wake,
  ): AsyncGenerator<ReaderItem, Closing['why'] | false | undefined, void> {
    if (callsOf(session, turn).length > 0) {
      await wake.quiet(this.#clock, options.quietMs);
      const now = this.#dispatcher.session(options.key);
      const calls = now ? callsOf(now, turn) : [];
      const grown = now && (findTurn(now, turn.id)?.answer.text.length ?? 0) > cursor.offset;
      // Undefined: look again at once.
      if (calls.length === 0 || grown || wake.ended) return undefined;
      yield { kind: 'tool_calls', turn, calls };
      return 'tool_calls';
    }
    return yield* this.#question(session, turn, options, wake);
  }

  /** @returns false when nothing has to be asked here, undefined when something changed meanwhile. */
  async *#question(
    session: Session,
    turn: Turn,
    options: ReadOptions,
    wake: Wake,
  ): AsyncGenerator<ReaderItem, 'question' | false | undefined, void> {
    const { version } = wake;
    const asks = await this.#toAsk(asksOf(session, turn), options);
    if (wake.version !== version) return undefined;
    if (asks.length === 0) return false;
    yield { kind: 'question', turn, asks };
    return 'question';
  }

  /** Those of these questions that are to be asked here. */
  async #toAsk(asks: readonly Ask[], { key, isAskedElsewhere }: ReadOptions): Promise<Ask[]> {
    const here: Ask[] = [];
    for (const ask of asks) if (!(await isAskedElsewhere?.(ask.code))) here.push(ask);
    // An answer to it may only reach the next bridge, which must know what was asked.
    return here.length > 0 && (await this.#isStored(key)) ? here : [];
  }

  #close({ turn, cursor, why, asks = [] }: Closing, { key, request }: ReadOptions): void {
    const { start, offset } = cursor;
    if (why === 'question') {
      const asks = this.#dispatcher.session(key)?.asks.filter((ask) => ask.turn === turn.id) ?? [];
      for (const { code, told } of asks) if (told === 'nothing') this.#tell(key, code, 'question');
    }
    for (const { code } of asks) this.#tell(key, code, 'question');
    this.#dispatcher.dispatch(key, { type: 'reader.close', turn: turn.id, request, start, offset, why });
  }

  #tell(key: string, code: string, what: 'question' | 'outcome'): void {
    this.#dispatcher.dispatch(key, { type: 'permission.tell', code, what });
  }
}
