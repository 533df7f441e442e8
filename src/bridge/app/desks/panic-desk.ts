// Stops everything, and lets it go on. The switch is closed first, in memory, so that nothing begins from there on; then
// it is kept on disk, every session is brought to rest, and every Claude Code is ended with all that it has started.
// Nobody is told that it is done before all of it is durable.
import type { Log } from '../../../base/log.ts';
import { type Clock, pause } from '../../../base/time/clock.ts';
import { movePanic, type Panic, recordAfter, stoppedWords } from '../../../domain/state/panic.ts';
import { currentTurn, openAsks, queuedTurns, type Session } from '../../../domain/state/session.ts';
import type { EndedAll, PanicResult, PanicView, ResumeResult } from '../../../domain/views/control.ts';
import { panicView } from '../../../domain/views/words/panic-words.ts';
import type { HouseEvent, JournalRow } from '../../../protocol/events/events.ts';
import type { PanicRecord } from '../../../protocol/panic.ts';
import type { Dispatcher } from '../dispatcher.ts';
import type { PanicStore } from '../ports.ts';

export interface PanicDeskOptions {
  store: PanicStore;
  clock: Clock;
  log: Log;
  dispatcher(): Dispatcher;
  /** Ends every Claude Code and all that it has started, at once, whatever the journal takes. */
  endAll(reason: string): Promise<EndedAll>;
}

/** For interruptions and answers to get to the disk before Claude Code is ended without them, ms. */
const storeMs = 1_000;

type Door = 'cli' | 'tui';
type Counts = Pick<PanicResult, 'interrupted' | 'denied' | 'dropped' | 'waiting'>;
const places: Record<Door, string> = {
  cli: 'the operator, at the command line',
  tui: 'the operator, at the screen',
};

export class PanicDesk {
  readonly #options: PanicDeskOptions;
  #panic: Panic = { name: 'off' };
  /** What the journal says of it: rows are written for what happened while no bridge ran. */
  #recorded: PanicRecord | undefined;
  /** What is being ended. */
  #ending: Promise<unknown> = Promise.resolve();

  constructor(options: PanicDeskOptions) {
    this.#options = options;
    this.#look();
  }

  /** Set while everything is stopped. */
  get record(): PanicRecord | undefined {
    return this.#panic.name === 'on' ? this.#panic.record : undefined;
  }

  get view(): PanicView | null {
    return this.record ? panicView(this.record) : null;
  }

  /** What holds as the journal tells it: what a compaction carries over. */
  get recorded(): PanicRecord | undefined {
    return this.#recorded;
  }

  /** Give it every row of the journal as it is loaded. */
  observe({ event }: Pick<JournalRow, 'event'>): void {
    this.#recorded = recordAfter(this.#recorded, event);
  }

  /** Once the journal is loaded: it tells what the file says. */
  reconcile(): void {
    const { record } = this;
    const told = this.#recorded?.since;
    if (told === record?.since) return;
    const { log } = this.#options;
    log.info('panic while no bridge ran', { told, since: record?.since });
    this.#tell(
      record
        ? { type: 'bridge.panicked', ...record }
        : { type: 'bridge.resumed', by: 'the operator, while no bridge ran' },
    );
  }

  /** Once others can find this bridge: who laid a panic down while it started could not. */
  lookAgain(): void {
    const before = this.#panic;
    this.#look();
    const { record } = this;
    if (!record) return;
    if (this.#panic !== before) {
      this.reconcile();
      this.#bringToRest();
    }
    // The bridge before may have been killed before it had ended all of it.
    void this.#endAll(record);
  }

  /** @throws nothing: whatever the disk says, everything is stopped. */
  async panic({ reason, door = 'cli' }: { reason?: string; door?: Door }): Promise<PanicResult> {
    const { clock, log } = this.#options;
    const said = reason === undefined ? {} : { reason };
    const made: PanicRecord = { since: clock.wall(), by: places[door], ...said };
    const before = this.#panic;
    this.#panic = movePanic(before, { type: 'panic', record: made });
    const record = this.record ?? made;
    const already = this.#panic === before;
    if (!already) {
      log.warn('everything is stopped', { ...record });
      this.#tell({ type: 'bridge.panicked', ...record });
    }
    const saved = this.#save(record);
    const counts = this.#bringToRest();
    const durable = this.#isDurable();
    // One that refuses must not keep Claude at work.
    await Promise.race([durable, pause(clock, storeMs)]);
    const ended = await this.#endAll(record);
    if (!(await durable)) log.error('the journal took nothing: every Claude Code was ended without it');
    return { ...panicView(record), already, kept: saved, ...counts, ...ended };
  }

  async resume({ door = 'cli' }: { door?: Door }): Promise<ResumeResult> {
    const { store, log } = this.#options;
    const dispatcher = this.#options.dispatcher();
    const { view } = this;
    if (!view) return { resumed: false, panic: null, waiting: 0 };
    // What is started from now on must not be ended along with it.
    await this.#ending;
    const by = places[door];
    // A file that stays would stop everything at the next start again: then nothing goes on now, either.
    store.clear();
    this.#panic = movePanic(this.#panic, { type: 'resume' });
    log.warn('everything goes on', { by });
    this.#tell({ type: 'bridge.resumed', by });
    const sessions = dispatcher.sessions();
    const waiting = sum(sessions, (session) => queuedTurns(session).length);
    for (const { key } of sessions) dispatcher.dispatch(key, { type: 'session.proceed' });
    await dispatcher.stored();
    return { resumed: true, panic: view, waiting };
  }

  #look(): void {
    const record = this.#options.store.load();
    if (record) this.#panic = movePanic(this.#panic, { type: 'panic', record });
  }

  #save(record: PanicRecord): boolean {
    try {
      this.#options.store.save(record);
      return true;
    } catch (error) {
      this.#options.log.error('the panic could not be kept for the next start', { error });
      return false;
    }
  }

  /** @returns what it found at work */
  #bringToRest(): Counts {
    const dispatcher = this.#options.dispatcher();
    const before = dispatcher.sessions();
    for (const { key } of before) dispatcher.dispatch(key, { type: 'session.rest' });
    const after = dispatcher.sessions();
    return {
      interrupted: sum(after, isBeingInterrupted),
      denied: sum(before, (session) => openAsks(session).length),
      dropped: sum(before, (session) => session.calls.length),
      waiting: sum(after, (session) => queuedTurns(session).length),
    };
  }

  async #isDurable(): Promise<boolean> {
    const dispatcher = this.#options.dispatcher();
    return dispatcher.kept(dispatcher.seq).catch(() => false);
  }

  #endAll(record: PanicRecord): Promise<EndedAll> {
    const { log, endAll } = this.#options;
    const ending = endAll(stoppedWords(record)).catch((error: unknown) => {
      log.error('not everything could be ended', { error });
      const words = `Not everything could be looked at: ${error instanceof Error ? error.message : String(error)}`;
      return { ended: [], alive: [words], unseen: [] };
    });
    this.#ending = Promise.all([this.#ending, ending]);
    return ending;
  }

  #tell(event: HouseEvent): void {
    this.observe({ event });
    this.#options.dispatcher().record(event);
  }
}

const isBeingInterrupted = (session: Session): number => (currentTurn(session)?.panic === undefined ? 0 : 1);

const sum = (sessions: readonly Session[], count: (session: Session) => number): number =>
  sessions.reduce((total, session) => total + count(session), 0);
