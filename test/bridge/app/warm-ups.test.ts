// The Claude Code of a conversation whose message is on its way.
import { expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { Dispatcher } from '../../../src/bridge/app/dispatcher.ts';
import { WarmUps } from '../../../src/bridge/app/warm/warm-ups.ts';
import { MemoryJournal } from '../../../src/bridge/journal/memory-journal.ts';
import type { LaunchOptions } from '../../../src/protocol/events/events.ts';
import type { PanicRecord } from '../../../src/protocol/panic.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const launch: LaunchOptions = { cwd: '/w', permissionMode: 'manual', delivery: 'auto' };
const minute = 60_000;

class Bridge {
  readonly clock = new ManualClock();
  readonly journal: MemoryJournal;
  readonly dispatcher: Dispatcher;
  readonly warmUps: WarmUps;
  panic: PanicRecord | undefined;
  hasRoom = true;

  constructor(journal?: MemoryJournal) {
    const { clock } = this;
    this.journal = journal ?? new MemoryJournal({ clock });
    this.dispatcher = new Dispatcher({
      journal: this.journal,
      limits: { queued: 3 },
      log: silentLog,
      panic: () => this.panic,
      perform: () => {},
      failed: () => {},
    });
    let claudes = 0;
    this.warmUps = new WarmUps({
      dispatcher: this.dispatcher,
      clock,
      log: silentLog,
      newClaudeId: () => `claude-${++claudes}`,
      launchFor: (key) => ({ ...launch, cwd: `/w/${key}` }),
      hasRoom: () => this.hasRoom,
    });
  }

  submit(key: string): void {
    const made = { turn: `t-${key}-${this.journal.last}`, claude: 'another', launch };
    this.dispatcher.dispatch(key, { type: 'turn.submit', ...made, ingress: 'openai', text: 'hello' });
  }

  /** A conversation whose message was answered, and whose Claude Code has ended. */
  used(key: string): void {
    this.submit(key);
    const turn = this.dispatcher.session(key)?.turns[0]?.id ?? '';
    this.dispatcher.dispatch(key, { type: 'agent.starting' });
    this.dispatcher.dispatch(key, { type: 'agent.ready', pid: 1, delivery: 'terminal', health: [] });
    this.dispatcher.dispatch(key, { type: 'prompt.taken', turn });
    this.dispatcher.dispatch(key, { type: 'turn.rest' });
    this.dispatcher.dispatch(key, { type: 'agent.exited', detail: 'idle' });
  }

  get told(): string[] {
    return [...this.journal.read(0)].map(({ event }) => event.type);
  }

  get keys(): string[] {
    return this.dispatcher.sessions().map(({ key }) => key);
  }
}

test('a conversation is opened with what its key is configured for, and its message finds the Claude that was started', () => {
  const bridge = new Bridge();
  expect(bridge.warmUps.warm('a', 'somebody')).toBeUndefined();
  expect(bridge.dispatcher.session('a')).toMatchObject({
    agent: { name: 'starting' },
    claude: { id: 'claude-1', launch: { cwd: '/w/a' }, prompted: false },
  });
  bridge.submit('a');
  expect(bridge.told).toEqual([
    'session.opened',
    'session.claude',
    'agent.wanted',
    'turn.queued',
    'turn.delivering',
  ]);
});

test('one that runs, or is started for a message already, is left alone', () => {
  const bridge = new Bridge();
  bridge.warmUps.warm('a', 'somebody');
  expect(bridge.warmUps.warm('a', 'somebody')).toBe('running');
  bridge.submit('b');
  expect(bridge.warmUps.warm('b', 'somebody')).toBe('running');
  expect(bridge.told.filter((type) => type === 'agent.wanted')).toHaveLength(1);
});

test('no other Claude Code is ended for one, and nothing is begun in a panic', () => {
  const bridge = new Bridge();
  bridge.hasRoom = false;
  expect(bridge.warmUps.warm('a', 'somebody')).toBe('no_room');
  bridge.hasRoom = true;
  bridge.panic = { since: 1, by: 'the operator' };
  expect(bridge.warmUps.warm('a', 'somebody')).toBe('panic');
  expect(bridge.told).toEqual([]);
  bridge.panic = undefined;
  bridge.warmUps.warm('a', 'somebody');
  bridge.hasRoom = false;
  expect(bridge.warmUps.warm('a', 'somebody')).toBe('running');
});

test('a conversation in which nobody writes after all is removed a minute later, with its Claude Code', () => {
  const bridge = new Bridge();
  bridge.warmUps.warm('a', 'somebody');
  bridge.warmUps.warm('b', 'somebody');
  bridge.submit('b');
  bridge.clock.advance(minute - 1);
  expect(bridge.keys).toEqual(['a', 'b']);
  bridge.clock.advance(1);
  expect(bridge.keys).toEqual(['b']);
  expect(bridge.dispatcher.session('a')?.agent).toMatchObject({ name: 'stopping' });
  expect(bridge.told.slice(-2)).toEqual(['agent.stopping', 'session.removed']);
});

test('one that was there before stays', () => {
  const bridge = new Bridge();
  bridge.used('a');
  expect(bridge.warmUps.warm('a', 'somebody')).toBeUndefined();
  bridge.clock.advance(2 * minute);
  expect(bridge.keys).toEqual(['a']);
  expect(bridge.dispatcher.session('a')?.agent.name).toBe('starting');
});

test('an operator who sits in its terminal is not thrown out', () => {
  const bridge = new Bridge();
  bridge.warmUps.warm('a', 'somebody');
  bridge.dispatcher.dispatch('a', { type: 'agent.ready', pid: 1, delivery: 'terminal', health: [] });
  bridge.dispatcher.dispatch('a', { type: 'lease.take', lease: 'l', by: 'operator' });
  bridge.clock.advance(2 * minute);
  expect(bridge.keys).toEqual(['a']);
});

test('the next bridge looks after what this one has opened, and a closed one does nothing', () => {
  const bridge = new Bridge();
  bridge.warmUps.warm('a', 'somebody');
  bridge.submit('b');
  bridge.warmUps.close();
  bridge.clock.advance(2 * minute);
  expect(bridge.keys).toEqual(['a', 'b']);
  const next = new Bridge(bridge.journal);
  next.dispatcher.load();
  next.warmUps.start();
  next.clock.advance(minute);
  expect(next.keys).toEqual(['b']);
});

test('a key whose conversation was removed begins another one', () => {
  const bridge = new Bridge();
  bridge.submit('a');
  bridge.dispatcher.dispatch('a', { type: 'session.remove' });
  expect(bridge.warmUps.warm('a', 'somebody')).toBeUndefined();
  expect(bridge.dispatcher.session('a')).toMatchObject({ removed: false, claude: { id: 'claude-1' } });
});
