// How long a bridge that stops waits for its turns.
import { expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { Dispatcher } from '../../../src/bridge/app/dispatcher.ts';
import { MemoryJournal } from '../../../src/bridge/journal/memory-journal.ts';
import { drain } from '../../../src/bridge/wiring/serve/drain.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** A bridge in which Claude is at work in two conversations, and its stop. */
function stopping() {
  const journal = new MemoryJournal();
  const limits = { queued: 3 };
  const dispatcher = new Dispatcher({
    journal,
    limits,
    log: silentLog,
    perform: () => {},
    failed: () => {},
  });
  for (const key of ['a', 'b']) {
    const launch = { cwd: '/w', permissionMode: 'manual' as const, delivery: 'auto' as const };
    const turn = { turn: `t-${key}`, claude: `c-${key}`, launch, ingress: 'openai' as const, text: 'go' };
    dispatcher.dispatch(key, { type: 'turn.submit', ...turn });
    dispatcher.dispatch(key, { type: 'prompt.taken', turn: turn.turn });
  }
  const clock = new ManualClock();
  let isOver = false;
  void drain(dispatcher, journal, clock).then(() => {
    isOver = true;
  });
  const settled = () => new Promise<boolean>((resolve) => setImmediate(() => resolve(isOver)));
  return { dispatcher, clock, settled };
}

const ask = {
  type: 'permission.ask',
  code: 'abcde',
  tool: 'Bash',
  input: { command: 'ls' },
  expires_at: 0,
} as const;

test('it waits for what runs, five seconds at most', async () => {
  const { clock, settled } = stopping();
  clock.advance(4_999);
  expect(await settled()).toBe(false);
  clock.advance(1);
  expect(await settled()).toBe(true);
});

test('it does not wait for a turn that waits for a person, and goes on waiting for one that does not', async () => {
  const { dispatcher, settled } = stopping();
  dispatcher.dispatch('a', ask);
  expect(await settled()).toBe(false);
  dispatcher.dispatch('b', { type: 'turn.rest' });
  expect(await settled()).toBe(true);
});

test('one whose question was answered runs again', async () => {
  const { dispatcher, settled } = stopping();
  dispatcher.dispatch('a', ask);
  dispatcher.dispatch('a', { type: 'permission.decide', code: 'abcde', verdict: 'deny', by: 'cli' });
  dispatcher.dispatch('b', { type: 'turn.rest' });
  expect(await settled()).toBe(false);
  dispatcher.dispatch('a', { type: 'turn.rest' });
  expect(await settled()).toBe(true);
});
