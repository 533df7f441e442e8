// A start that folds what a compaction left is where the bridge is that folded every row.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { ClaudeIds } from '../../../src/bridge/app/claude-ids.ts';
import { Deadlines } from '../../../src/bridge/app/deadlines.ts';
import { Codes } from '../../../src/bridge/app/desks/codes.ts';
import { PanicDesk } from '../../../src/bridge/app/desks/panic-desk.ts';
import { Dispatcher } from '../../../src/bridge/app/dispatcher.ts';
import { compactionEvents, type SessionEvents } from '../../../src/bridge/app/forgetting/compaction.ts';
import { Forgetter } from '../../../src/bridge/app/forgetting/forgetter.ts';
import { MemoryJournal } from '../../../src/bridge/journal/memory-journal.ts';
import { SecretChanges } from '../../../src/bridge/operator-secret/secret-changes.ts';
import type { Effect } from '../../../src/domain/effects.ts';
import { SnapshotNewerError } from '../../../src/domain/state/snapshot.ts';
import type { JournalRow, SessionEvent } from '../../../src/protocol/events/events.ts';
import { house } from '../../../src/protocol/events/house.ts';
import type { PanicRecord } from '../../../src/protocol/panic.ts';
import { anyHistory } from '../../domain/any-event.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { runs } from '../../support/runs.ts';

const launch = { cwd: '/w', permissionMode: 'manual', delivery: 'auto' } as const;

/** Of a bridge all that folds rows, and what lies beside the journal. */
class House {
  readonly clock = new ManualClock();
  readonly journal = new MemoryJournal({ clock: this.clock });
  readonly codes = new Codes();
  readonly claudeIds = new ClaudeIds();
  readonly effects: Effect[] = [];
  readonly dispatcher: Dispatcher;
  readonly panic: PanicDesk;
  readonly secret = new SecretChanges();
  readonly forgetter: Forgetter;
  readonly deadlines: Deadlines;
  kept: PanicRecord | undefined;

  /** @param rows what the journal holds at the start @param base seq of the last one that is not folded */
  constructor(
    rows: readonly { session: string; events: readonly SessionEvent[] }[] = [],
    kept?: PanicRecord,
    base = 0,
  ) {
    this.kept = kept;
    this.dispatcher = new Dispatcher({
      journal: this.journal,
      log: silentLog,
      limits: { queued: 3 },
      panic: () => this.panic.record,
      perform: (_, effect) => this.effects.push(effect),
      failed: (error) => {
        throw error;
      },
    });
    this.panic = new PanicDesk({
      store: {
        load: () => this.kept,
        save: (record) => {
          this.kept = record;
        },
        clear: () => {
          this.kept = undefined;
        },
      },
      clock: this.clock,
      log: silentLog,
      dispatcher: () => this.dispatcher,
      endAll: async () => ({ ended: [], alive: [], unseen: [] }),
    });
    this.forgetter = new Forgetter({
      dispatcher: this.dispatcher,
      claudeIds: this.claudeIds,
      journal: { between: async () => {}, read: () => [] },
      clock: this.clock,
      log: silentLog,
      deleteFiles: () => {},
      bury: () => {},
      buried: async () => {},
    });
    this.deadlines = new Deadlines({
      clock: this.clock,
      cancelMs: 1,
      deliverMs: 1,
      turnMs: 1,
      unattendedMs: 1,
      tasksMs: 1,
      dispatch: (key, command) => this.dispatcher.dispatch(key, command),
    });
    for (const { session, events } of rows) this.journal.append(session, events);
    this.dispatcher.load((row) => {
      this.codes.observe(row);
      this.claudeIds.observe(row);
      this.panic.observe(row);
      this.secret.observe(row);
      this.forgetter.load(row);
    }, base);
    this.journal.subscribe((row) => {
      this.forgetter.load(row);
      this.codes.observe(row);
      this.claudeIds.observe(row);
      this.deadlines.observe(row);
    });
    this.panic.reconcile();
  }

  submit(key: string, turn: string): boolean {
    const message = { turn, claude: `claude of ${key}`, launch, ingress: 'openai', text: turn } as const;
    return this.dispatcher.dispatch(key, { type: 'turn.submit', ...message }).ok;
  }

  /** What a start would find in place of all rows: as the disk has it. */
  compacted(): SessionEvents[] {
    return JSON.parse(JSON.stringify([...compactionEvents(this, this.journal.last)]));
  }

  /** The same bridge after a compaction and a restart. */
  again(): House {
    return new House(this.compacted(), this.kept);
  }

  get state(): unknown {
    return { ...this.known, due: this.due };
  }

  /** All of the state that no seq is part of. */
  get known() {
    const { codes, claudeIds, panic, dispatcher } = this;
    const secret = this.secret.recorded;
    const ever = { codes: new Set(codes.used()), claudes: claudeIds.all(), recorded: panic.recorded, secret };
    return { ...ever, record: panic.record, sessions: dispatcher.sessionsEver() };
  }

  /** What is still to be forgotten. The row of a snapshot goes with those that it stands for. */
  get due(): unknown {
    return this.forgetter.due.map(({ up_to: _, ...each }) => each);
  }

  of(type: SessionEvent['type']): JournalRow[] {
    return [...this.journal.read(0)].filter(({ event }) => event.type === type);
  }
}

const bySession = (events: readonly SessionEvent[]) =>
  events.map((event, n) => ({ session: `session ${n % 3}`, events: [event] }));

test('whatever has happened, and however often it was compacted, nobody knows less than before', () => {
  fc.assert(
    fc.property(anyHistory, anyHistory, (events, later) => {
      const before = new House(bySession(events));
      const after = before.again();
      expect(after.state).toStrictEqual(before.state);
      // Both go on, and the second of them from a compaction of its own.
      const rows = bySession(later);
      const whole = new House([...before.compacted(), ...rows]);
      const twice = new House([...after.again().compacted(), ...rows]);
      expect(twice.state).toStrictEqual(whole.state);
      expect(whole.again().again().state).toStrictEqual(whole.state);
      // The rows before a snapshot may still be there: a start need not fold them.
      const short = new House(
        [...bySession(events), ...before.compacted(), ...rows],
        undefined,
        events.length,
      );
      expect(short.known).toStrictEqual(whole.known);
    }),
    { numRuns: runs(30) },
  );
});

test('the house comes first, with the last row of the archive', () => {
  const found = new House();
  found.submit('b', 't1');
  found.submit('a', 't2');
  const { last } = found.journal;
  expect(found.compacted()).toMatchObject([
    { session: house, events: [{ type: 'bridge.compacted', origin: last, panic: null }] },
    { session: 'b', events: [{ type: 'session.restored', version: 1 }] },
    { session: 'a', events: [{ type: 'session.restored', version: 1 }] },
  ]);
});

test('a code that named a question once names no other, also when its question is long forgotten', () => {
  const found = new House();
  found.submit('s', 't');
  const asked = ['abcde', 'of a length of its own', '', 'ä b'];
  for (const code of asked)
    found.journal.append('gone', [
      { type: 'permission.asked', code, tool: 'Bash', input: {}, expires_at: 0 },
    ]);
  found.journal.append('gone', [{ type: 'session.removed' }]);
  const claimed = found.codes.claim();
  const { codes } = found.again().again();
  for (const code of [...asked, claimed]) {
    expect(codes.isKnown(code)).toBe(true);
    expect(codes.claim(code)).not.toBe(code);
  }
  expect(codes.isKnown('of')).toBe(false);
});

test('a Claude session stays whose it was, also when its conversation was removed', () => {
  const found = new House([
    { session: 'first', events: [{ type: 'session.claude', claude: 'c1', launch }] },
    { session: 'second', events: [{ type: 'session.claude', claude: 'c1', launch }] },
    { session: '__proto__', events: [{ type: 'session.claude', claude: '__proto__', launch }] },
    { session: 'first', events: [{ type: 'session.removed' }] },
  ]);
  const { claudeIds } = found.again().again();
  claudeIds.observe({ session: 'third', event: { type: 'session.claude', claude: 'c1', launch } });
  expect([claudeIds.ownerOf('c1'), claudeIds.ownerOf('__proto__')]).toEqual(['first', '__proto__']);
});

test('what is stopped stays stopped, and nobody tells it a second time', async () => {
  const found = new House();
  found.submit('s', 't1');
  await found.panic.panic({ reason: 'a runaway loop' });
  const after = found.again();
  expect(after.panic.recorded).toEqual(found.kept);
  expect([after.submit('s', 't2'), after.of('bridge.panicked')]).toEqual([false, []]);
  await after.panic.resume({});
  const last = after.again();
  expect([last.panic.recorded, last.submit('s', 't3'), last.of('bridge.resumed')]).toEqual([
    undefined,
    true,
    [],
  ]);
});

test('what was decided while no bridge ran is told after a compaction, too', async () => {
  const found = new House();
  await found.panic.panic({});
  const resumed = new House(found.compacted());
  expect(resumed.of('bridge.resumed')).toHaveLength(1);
  const stopped = new House(new House().compacted(), { since: 1, by: 'somebody' });
  expect(stopped.of('bridge.panicked')).toHaveLength(1);
});

test('its rows change nothing in the bridge that appends them, and start nothing', async () => {
  const found = new House();
  found.submit('s', 't1');
  found.submit('s', 't2');
  found.dispatcher.dispatch('s', {
    type: 'permission.ask',
    code: 'abcde',
    tool: 'Bash',
    input: {},
    expires_at: 1e15,
  });
  await found.dispatcher.stored();
  const { state } = found;
  const effects = [...found.effects];
  const timers = found.clock.timers;
  for (const { session, events } of found.compacted()) found.journal.append(session, events);
  await found.dispatcher.stored();
  expect([found.effects, found.clock.timers]).toEqual([effects, timers]);
  expect(found.state).toStrictEqual(state);
});

test('a conversation that was removed is forgotten, by the bridge as by its next start, unless somebody reads it', () => {
  const found = new House();
  for (const key of ['stays', 'gone', 'read']) found.submit(key, `turn of ${key}`);
  for (const key of ['gone', 'read']) found.dispatcher.dispatch(key, { type: 'session.remove' });
  const leave = found.dispatcher.watch('read', () => {});
  const sessions = (at: House) => at.dispatcher.sessionsEver().map(({ key }) => key);
  expect(sessions(found.again())).toEqual(['stays', 'read']);
  expect(sessions(found)).toEqual(['stays', 'read']);
  leave();
  found.compacted();
  expect(sessions(found)).toEqual(['stays']);
});

test('a state that this release cannot read stops the start, and no session is known by half', () => {
  const found = new House();
  found.submit('s', 't');
  const newer = { type: 'session.restored', version: 2, state: {} } as unknown as SessionEvent;
  const journal = new MemoryJournal();
  for (const { session, events } of found.compacted()) journal.append(session, events);
  journal.append('newer', [newer]);
  const dispatcher = new Dispatcher({
    journal,
    log: silentLog,
    limits: { queued: 3 },
    perform: () => {},
    failed: () => {},
  });
  expect(() => dispatcher.load()).toThrow(SnapshotNewerError);
  expect(dispatcher.sessionsEver()).toEqual([]);
});

test('which of the operator secrets held is known after a compaction, too', () => {
  const events: SessionEvent[] = [{ type: 'bridge.secret', now: 'SHA256:one', was: null }];
  const { secret } = new House([{ session: house, events }]).again().again();
  expect(secret.since('SHA256:one')).toBeUndefined();
  expect(secret.since(null)).toMatchObject({ event: { now: null, was: 'SHA256:one' }, isLoss: true });
});
