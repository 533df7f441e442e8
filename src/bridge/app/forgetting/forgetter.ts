// Brings conversations that were removed to an end of which nothing is left: once nothing of them runs and nobody reads
// them, at the next start at the latest. What is still to be done follows from the rows, so a kill loses none of it.
import type { Log } from '../../../base/log.ts';
import type { Cancel, Clock } from '../../../base/time/clock.ts';
import { type Forgotten, isForgotten } from '../../../domain/state/removal.ts';
import { type Session, unsettledAsks } from '../../../domain/state/session.ts';
import { isSettled } from '../../../domain/state/turn.ts';
import type { Forgetting } from '../../../protocol/events/compaction-events.ts';
import type { JournalRow, SessionEvent } from '../../../protocol/events/events.ts';
import type { ClaudeIds } from '../claude-ids.ts';
import type { Dispatcher } from '../dispatcher.ts';

type Told = Extract<SessionEvent, { type: 'session.forgotten' }>;

export interface ForgetterOptions {
  dispatcher: Pick<Dispatcher, 'session' | 'isWatched' | 'drop' | 'stored'>;
  claudeIds: Pick<ClaudeIds, 'all'>;
  journal: {
    /** Calls `work` when every row is in the database; what it does there is durable when this resolves. */
    between(work: () => void): Promise<void>;
    /** Its rows that are not in the archive alone. */
    read(after: number, limit: number, session: string): Iterable<JournalRow>;
  };
  clock: Pick<Clock, 'after'>;
  log: Log;
  /** Deletes its files, those from before it was removed alone if its key is used again. */
  deleteFiles(about: Forgetting): void;
  /** Makes tombstones of its rows in the step in which what tells of it, which this appends, is written. */
  bury(session: string, past: Forgotten, told: Told): void;
  /** There are new tombstones. Resolves when nothing else in the database tells what stood there. */
  buried(): Promise<void>;
}

/** Milliseconds, after trouble with the disk. */
const retryMs = 5_000;

/** Rows of the archive are left to whoever cleans that. */
export class Forgetter {
  readonly #options: ForgetterOptions;
  readonly #due = new Map<string, Forgetting>();
  readonly #waiting = new Map<string, PromiseWithResolvers<void>>();
  /** Of a bridge before: nothing of them runs. */
  readonly #overdue = new Set<string>();
  #later: Cancel | undefined;
  #closed = false;

  constructor(options: ForgetterOptions) {
    this.#options = options;
  }

  /** What is still to be forgotten: what a compaction carries over. */
  get due(): Forgetting[] {
    return [...this.#due.values()];
  }

  /** Give it every row as the journal is loaded. */
  load({ session, seq, at, event }: JournalRow): void {
    if (event.type === 'bridge.compacted')
      for (const each of event.forgetting ?? []) this.#due.set(each.session, each);
    // What a snapshot carries over may have been forgotten before all else gave way to it.
    if (event.type === 'session.forgotten')
      for (const [key, { removed }] of this.#due) if (removed === event.removed) this.#due.delete(key);
    if (event.type === 'session.removed' && event.forget)
      this.#due.set(session, { session, removed: seq, up_to: seq, at, reused: false });
    const due = this.#due.get(session);
    if (!due || due.reused) return;
    const reused = event.type === 'session.opened';
    this.#due.set(session, { ...due, reused, up_to: reused ? seq - 1 : seq });
  }

  /** Once the journal is loaded: nothing runs yet, and nobody reads. */
  start(): void {
    for (const { session } of this.due) this.#overdue.add(session);
    if (this.#overdue.size > 0) void this.#forget([...this.#overdue]);
  }

  /** Give it every row as it comes, before it changes a session. */
  observe(row: JournalRow): void {
    this.load(row);
    if (this.#due.has(row.session)) this.look(row.session);
  }

  /** One that was kept is to be forgotten all the same. A kill may come first: then it stays. */
  add(about: Forgetting): void {
    if (!this.#due.has(about.session)) this.#due.set(about.session, about);
    this.look(about.session);
  }

  /** Something of the conversation has ended, or somebody has left it. */
  look(key: string): void {
    if (!this.#due.has(key)) return;
    // What fails now is done at the next start.
    this.#options.dispatcher.stored().then(
      () => {
        if (this.#isReady(key)) void this.#forget([key]);
      },
      () => {},
    );
  }

  /** Resolves when it is forgotten; at once when it need not be. */
  forgotten(key: string): Promise<void> {
    if (!this.#due.has(key)) return Promise.resolve();
    const waiting = this.#waiting.get(key) ?? Promise.withResolvers<void>();
    this.#waiting.set(key, waiting);
    return waiting.promise;
  }

  /** Idempotent. */
  close(): void {
    this.#closed = true;
    this.#later?.();
  }

  #isReady(key: string): boolean {
    const { dispatcher } = this.#options;
    const due = this.#due.get(key);
    const session = dispatcher.session(key);
    if (!due || this.#closed) return false;
    return (
      due.reused || !session || this.#overdue.has(key) || (isAtRest(session) && !dispatcher.isWatched(key))
    );
  }

  async #forget(keys: readonly string[]): Promise<void> {
    const { dispatcher, journal, buried, log } = this.#options;
    const done: string[] = [];
    try {
      await journal.between(() => {
        // It may be forgotten by now, or somebody reads it again.
        for (const key of keys) if (this.#isReady(key) && this.#bury(key)) done.push(key);
      });
    } catch (error) {
      if (this.#closed) return;
      log.warn('a removed session could not be forgotten yet', { error });
      if (done.length === 0) return this.#retry();
    }
    try {
      // The disk may have had no room for it just then; it goes on by itself.
      await dispatcher.stored();
      if (done.length > 0) await buried();
    } catch {
      // It failed, or the bridge ends: the next start finds what is left to be done.
      return;
    }
    for (const key of done) {
      this.#waiting.get(key)?.resolve();
      this.#waiting.delete(key);
    }
  }

  #bury(key: string): boolean {
    const due = this.#due.get(key);
    if (!due) return false;
    const { dispatcher, deleteFiles, bury } = this.#options;
    deleteFiles(due);
    bury(key, pastOf(due), this.#told(due));
    this.#due.delete(key);
    this.#overdue.delete(key);
    if (!due.reused) dispatcher.drop(key);
    return true;
  }

  #told(due: Forgetting): Told {
    const claudes = new Set<string>();
    for (const [claude, owner] of Object.entries(this.#options.claudeIds.all()))
      if (owner === due.session) claudes.add(claude);
    const codes: string[] = [];
    let rows = 0;
    for (const { seq, event } of this.#options.journal.read(0, Number.POSITIVE_INFINITY, due.session)) {
      if (isForgotten(pastOf(due), seq, event.type)) {
        rows += 1;
        if (event.type === 'permission.asked') codes.push(event.code);
      } else if (event.type === 'session.claude') claudes.delete(event.claude);
    }
    const { removed } = due;
    return { type: 'session.forgotten', by: 'the operator', removed, rows, codes, claudes: [...claudes] };
  }

  #retry(): void {
    this.#later?.();
    this.#later = this.#options.clock.after(retryMs, () => {
      for (const { session } of this.due) this.look(session);
    });
  }
}

const pastOf = ({ removed, up_to }: Forgetting): Forgotten => ({ removed, upTo: up_to });

/** Nothing of it runs, and nobody types into it. */
const isAtRest = (session: Session): boolean =>
  session.agent.name === 'stopped' &&
  session.lease === undefined &&
  session.calls.length === 0 &&
  unsettledAsks(session).length === 0 &&
  session.turns.every(isSettled);
