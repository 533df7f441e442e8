import { expect, test } from 'vitest';
import { jsonLog } from '../../../src/base/log.ts';
import { Dispatcher } from '../../../src/bridge/app/dispatcher.ts';
import { lastUsed, type WarmStartOptions, warmStart } from '../../../src/bridge/app/warm/warm-start.ts';
import { MemoryJournal } from '../../../src/bridge/journal/memory-journal.ts';
import type { PanicRecord } from '../../../src/protocol/panic.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { until } from '../../support/until.ts';

const launch = { cwd: '/w', permissionMode: 'manual' as const, delivery: 'auto' as const };

class Bridge {
  readonly clock = new ManualClock();
  readonly logged: string[] = [];
  /** Keys of sessions whose Claude Code was to be started, without a message. */
  readonly started: string[] = [];
  readonly over = new AbortController();
  panic: PanicRecord | undefined;
  readonly dispatcher: Dispatcher;

  constructor() {
    const { clock } = this;
    const journal = new MemoryJournal({ clock });
    this.dispatcher = new Dispatcher({
      journal,
      limits: { queued: 3 },
      log: jsonLog({ write: () => {}, wall: () => 0 }),
      panic: () => this.panic,
      perform: (key, effect) => {
        if (effect.type === 'start') this.started.push(key);
      },
      failed: () => {},
    });
  }

  /** A conversation whose message was answered, and whose Claude Code has ended. */
  used(key: string, meta: Record<string, string> = {}): void {
    this.clock.advance(1_000);
    const turn = `${key}-${this.clock.now()}`;
    const { dispatcher } = this;
    const submit = { turn, claude: `claude-${key}`, launch, text: 'go', meta, ingress: 'openai' } as const;
    dispatcher.dispatch(key, { type: 'turn.submit', ...submit });
    this.ready(key);
    dispatcher.dispatch(key, { type: 'prompt.taken', turn });
    dispatcher.dispatch(key, { type: 'turn.rest' });
    dispatcher.dispatch(key, { type: 'agent.exited', detail: 'idle' });
  }

  ready(key: string): void {
    this.dispatcher.dispatch(key, { type: 'agent.starting' });
    this.dispatcher.dispatch(key, { type: 'agent.ready', pid: 1, delivery: 'terminal', health: [] });
  }

  warm(count: number, more: Partial<WarmStartOptions> = {}): Promise<void> {
    const { dispatcher, clock, over } = this;
    const log = jsonLog({ write: (line) => this.logged.push(line), wall: () => 0 });
    const about = { dispatcher, clock, log, count, ms: 1_000, hasRoom: () => true, signal: over.signal };
    return warmStart({ ...about, ...more });
  }

  startOf(key: string): Promise<boolean> {
    return until(`a start for ${key}`, () => this.started.includes(key));
  }
}

test('the last used ones are chosen, without what was removed, never used, or an unattended run of its own', () => {
  const bridge = new Bridge();
  for (const key of ['a', 'b', 'c', 'gone']) bridge.used(key);
  bridge.used('cron', { own_session: 'yes' });
  bridge.used('a');
  bridge.dispatcher.dispatch('gone', { type: 'session.remove' });
  bridge.dispatcher.dispatch('new', { type: 'session.renew', claude: 'x', launch });
  const keys = (count: number) => lastUsed(bridge.dispatcher.sessions(), count).map(({ key }) => key);
  expect([keys(0), keys(2), keys(9)]).toEqual([[], ['a', 'c'], ['a', 'c', 'b']]);
});

test('they are started one after the other, and one that runs counts and needs nothing', async () => {
  const bridge = new Bridge();
  for (const key of ['a', 'b', 'c', 'd']) bridge.used(key);
  bridge.ready('c');
  const over = bridge.warm(3);
  await bridge.startOf('d');
  expect(bridge.started).toEqual(['d']);
  bridge.ready('d');
  await bridge.startOf('b');
  bridge.ready('b');
  await over;
  expect([bridge.started, bridge.logged]).toEqual([['d', 'b'], []]);
});

test.each<[string, (bridge: Bridge) => void]>([
  [
    'fails',
    ({ dispatcher }) =>
      dispatcher.dispatch('b', { type: 'agent.exited', detail: 'no folder', failure: 'start_exited' }),
  ],
  ['takes too long', ({ clock }) => clock.advance(1_000)],
  [
    'shows a question',
    ({ dispatcher }) =>
      dispatcher.dispatch('b', {
        type: 'agent.dialog',
        dialog: 'trust',
        screen: '',
        failure: 'start_timeout',
      }),
  ],
])('one that %s is told once, and the next one is started', async (_, fails) => {
  const bridge = new Bridge();
  for (const key of ['a', 'b']) bridge.used(key);
  const over = bridge.warm(2);
  await bridge.startOf('b');
  fails(bridge);
  await bridge.startOf('a');
  bridge.ready('a');
  await over;
  expect([bridge.started, bridge.logged]).toEqual([['b', 'a'], [expect.stringContaining('and is not')]]);
});

test('nothing is started in a panic, without room, and by a bridge that stops', async () => {
  const bridge = new Bridge();
  for (const key of ['a', 'b']) bridge.used(key);
  await bridge.warm(2, { hasRoom: () => false });
  bridge.panic = { since: 0, by: 'the operator' };
  await bridge.warm(2);
  bridge.panic = undefined;
  const over = bridge.warm(2);
  await bridge.startOf('b');
  bridge.over.abort();
  await over;
  await bridge.warm(2);
  expect([bridge.started, bridge.logged]).toEqual([['b'], []]);
});
