// command → decide → append → evolve, in one synchronous step per command: no two commands of a session interleave.
import type { Log } from '../../base/log.ts';
import type { Command } from '../../domain/commands.ts';
import { decide } from '../../domain/decide/decide.ts';
import type { Limits } from '../../domain/decide/decision.ts';
import { type Effect, effectsOf } from '../../domain/effects.ts';
import type { Rejection } from '../../domain/rejection.ts';
import { emptySession, type Session } from '../../domain/state/session.ts';
import { needsSnapshot } from '../../domain/state/snapshot.ts';
import type { HouseEvent, JournalRow, SessionEvent } from '../../protocol/events/events.ts';
import { house } from '../../protocol/events/house.ts';
import type { PanicRecord } from '../../protocol/panic.ts';
import { foldRows, inRuns } from './fold-rows.ts';
import type { CopyPort, JournalPort } from './ports.ts';

export type Outcome = { ok: true; session: Session; seq: number } | { ok: false; rejection: Rejection };

export interface DispatcherOptions {
  journal: JournalPort;
  limits: Limits;
  /** Set while everything is stopped. */
  panic?(): PanicRecord | undefined;
  log: Log;
  /** Where some sessions are kept, too. */
  copies?(): CopyPort | undefined;
  /** Called when the events behind the effect are on disk, in order. */
  perform(key: string, effect: Effect): void;
  /** Nobody watches the session any more. */
  unwatched?(key: string): void;
  /** What depended on the disk did not happen: it failed, or the bridge ends. */
  failed(error: unknown): void;
}

/** @param rows what changed the session: all of one step */
type Watcher = (session: Session, rows: readonly JournalRow[]) => void;

export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #sessions = new Map<string, Session>();
  /** Each list is made anew when it changes: whoever is being told of a row goes through one that does not. */
  readonly #watchers = new Map<string, readonly Watcher[]>();

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  /**
   * Folds the journal. Call once, before anything else.
   *
   * @param seen gets every row, too
   * @param base seq of the last row that need not be folded: behind it a snapshot begins
   * @throws SnapshotNewerError for a state that a later release wrote; no session is known then
   */
  load(seen: (row: JournalRow) => void = () => {}, base = 0): void {
    try {
      for (const rows of inRuns(this.#options.journal.read(base))) {
        this.#apply(rows[0].session, rows);
        for (const row of rows) seen(row);
      }
    } catch (error) {
      // Half a state: whoever closes the bridge now must not bring it to an end.
      this.#sessions.clear();
      throw error;
    }
  }

  /** Seq of the last row that is part of the sessions. */
  get seq(): number {
    return this.#options.journal.last;
  }

  /** Set while everything is stopped. */
  get panic(): PanicRecord | undefined {
    return this.#options.panic?.();
  }

  /** Whose fault it is when something is not kept. */
  get keeper(): 'disk' | 'copies' {
    return this.#isDiskWell && this.#copies ? 'copies' : 'disk';
  }

  get #isDiskWell(): boolean {
    return this.#options.journal.health === 'ok';
  }

  session(key: string): Session | undefined {
    return this.#sessions.get(key);
  }

  /** Every known session, removed ones left out, in order of opening. */
  sessions(): Session[] {
    return this.sessionsEver().filter((session) => !session.removed);
  }

  /** Removed ones, too: they may still owe an answer. */
  sessionsEver(): Session[] {
    return [...this.#sessions.values()];
  }

  /** Lets go of removed sessions that nothing is kept for. A compaction leaves them out, and a start after it, too. */
  forgetRemoved(): void {
    for (const [key, session] of this.#sessions)
      if (!needsSnapshot(session) && !this.#watchers.has(key)) this.#sessions.delete(key);
  }

  /**
   * Decides and stores. Readers see the result at once; effects follow when it is durable.
   *
   * @param heard with this, all that hooks up to this number said is dispatched; kept if anything comes of it
   */
  dispatch(key: string, command: Command, heard?: number): Outcome {
    const before = this.#sessions.get(key) ?? emptySession(key);
    const { panic } = this;
    const full = !this.#isDiskWell || (this.#copies?.isFull(key) ?? false);
    const { limits } = this.#options;
    const decision = decide(
      before,
      command,
      full || panic ? { ...limits, full, ...(panic && { panic }) } : limits,
    );
    if ('rejection' in decision) {
      this.#options.log.debug('refused', { session: key, command: command.type, ...decision.rejection });
      return { ok: false, rejection: decision.rejection };
    }
    const { events } = decision;
    const last = events.at(-1);
    if (!last) return { ok: true, session: before, seq: this.#options.journal.last };
    const rows = this.#append(key, heard === undefined ? events : events.with(-1, { ...last, heard }));
    if (!rows) return { ok: false, rejection: { code: 'not_stored' } };
    const session = this.#apply(key, rows);
    const seq = rows.at(-1)?.seq ?? 0;
    this.#performWhenDurable(key, rows, seq);
    for (const watcher of this.#watchers.get(key) ?? []) watcher(session, rows);
    return { ok: true, session: this.#sessions.get(key) ?? before, seq };
  }

  /**
   * Whether a message that was submitted is on disk, and wherever else it is to be kept. If there is no room for it, it is
   * taken back, so that nothing of it happens later either.
   *
   * @param seq of the last row that belongs to it
   * @throws what the journal says when the disk failed
   */
  async took(key: string, turn: string, seq: number): Promise<boolean> {
    if (await this.kept(seq, key)) return true;
    if (this.dispatch(key, { type: 'turn.withdraw', turn }).ok) return false;
    // Its conversation was removed, or found to live elsewhere: nothing of it can happen later.
    if (this.#sessions.get(key)?.removed) return false;
    // It has ended meanwhile, and how it ended waits for room with it.
    await this.durable(seq, key);
    return true;
  }

  /** Stores what is about the whole house: no session changes. */
  record(event: HouseEvent): void {
    this.#append(house, [event]);
  }

  /**
   * Whether everything up to `seq` is on disk; false when it waits for room there.
   * @param key of a session of which that has to be kept elsewhere, too, if it is one of those
   */
  async kept(seq: number, key?: string): Promise<boolean> {
    const copied = key === undefined ? undefined : this.#copies?.kept(key, seq);
    return (await this.#options.journal.kept(seq)) && (copied === undefined || (await copied));
  }

  /**
   * Resolves when everything up to `seq` is on disk, and all of the session wherever else it is kept. One that was removed is
   * kept nowhere else.
   */
  durable(seq: number, key?: string): Promise<void> {
    const isCopied = key !== undefined && this.#sessions.get(key)?.removed !== true;
    const copied = isCopied ? this.#copies?.durable(key, seq) : undefined;
    const stored = this.#options.journal.durable(seq);
    return copied === undefined ? stored : Promise.all([stored, copied]).then(() => {});
  }

  /** Resolves when everything dispatched so far is on disk, and all of the session wherever else it is kept. */
  stored(key?: string): Promise<void> {
    return this.durable(this.#options.journal.last, key);
  }

  /** Calls back after every change of the session, until the returned function is called. */
  watch(key: string, watcher: Watcher): () => void {
    this.#watchers.set(key, [...(this.#watchers.get(key) ?? []), watcher]);
    return () => {
      const watchers = this.#watchers.get(key);
      if (!watchers?.includes(watcher)) return;
      const others = watchers.filter((each) => each !== watcher);
      if (others.length > 0) return void this.#watchers.set(key, others);
      this.#watchers.delete(key);
      this.#options.unwatched?.(key);
    };
  }

  isWatched(key: string): boolean {
    return this.#watchers.has(key);
  }

  /** Knows nothing of the session any more: its rows are no part of the journal. */
  drop(key: string): void {
    this.#sessions.delete(key);
  }

  get #copies(): CopyPort | undefined {
    return this.#options.copies?.();
  }

  #append(key: string, events: readonly SessionEvent[]): JournalRow[] | undefined {
    try {
      return this.#options.journal.append(key, events);
    } catch (error) {
      this.#options.failed(error);
      return undefined;
    }
  }

  /** @param rows of this session, or of the house, which is none */
  #apply(key: string, rows: readonly JournalRow[]): Session {
    const before = this.#sessions.get(key) ?? emptySession(key);
    if (key === house) return before;
    const session = foldRows(before, rows);
    this.#sessions.set(key, session);
    return session;
  }

  #performWhenDurable(key: string, rows: readonly JournalRow[], seq: number): void {
    const effects: Effect[] = [];
    for (const { event } of rows) effects.push(...effectsOf(event));
    if (effects.length === 0) return;
    this.durable(seq, key).then(
      () => {
        for (const effect of effects) this.#options.perform(key, effect);
      },
      (error: unknown) => this.#options.failed(error),
    );
  }
}
