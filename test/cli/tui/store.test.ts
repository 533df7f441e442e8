import { expect, test } from 'vitest';
import type { BridgeNews, BridgePort } from '../../../src/cli/tui/bridge/bridge-port.ts';
import type { Effect } from '../../../src/cli/tui/model/effect.ts';
import { newModel } from '../../../src/cli/tui/model/model.ts';
import { Store } from '../../../src/cli/tui/model/store.ts';
import type { JournalRow } from '../../../src/protocol/events/events.ts';
import { ManualClock } from '../../support/manual-clock.ts';

class FakeBridge implements BridgePort {
  listener: ((news: BridgeNews) => void) | undefined;
  readonly calls: string[] = [];
  failure: Error | undefined;

  watch(listener: (news: BridgeNews) => void): () => void {
    this.listener = listener;
    return () => {
      this.listener = undefined;
    };
  }

  async call(method: string): Promise<never> {
    this.calls.push(method);
    if (this.failure) throw this.failure;
    return {} as never;
  }

  row(seq: number): void {
    const event = { type: 'session.opened', ingress: 'openai' } as const;
    const row: JournalRow = { seq, at: 0, session: `s${seq}`, event };
    this.listener?.({ kind: 'rows', rows: [row] });
  }
}

function opened() {
  const clock = new ManualClock();
  const bridge = new FakeBridge();
  const cost = { cpu: 0 };
  const performed: Effect[] = [];
  const store = new Store(newModel({ columns: 80, rows: 24 }, clock.wall()), {
    port: bridge,
    clock,
    cpu: () => cost.cpu,
    longTurnMs: 60_000,
    perform: (effect) => performed.push(effect),
  });
  let pictures = 0;
  store.subscribe(() => {
    pictures += 1;
  });
  store.open();
  return { clock, bridge, store, cost, performed, pictures: () => pictures };
}

test('two hundred events a second make at most ten pictures a second', () => {
  const { clock, bridge, store, pictures } = opened();
  for (let seq = 1; seq <= 400; seq += 1) {
    bridge.row(seq);
    clock.advance(5);
  }
  expect(pictures()).toBeLessThanOrEqual(21);
  expect(pictures()).toBeGreaterThan(15);
  clock.advance(200);
  expect(store.model.sessions.size).toBe(400);
});

test('what a picture costs is paid off by waiting: never more than 4 % of a core', () => {
  const { clock, bridge, cost, store, pictures } = opened();
  store.subscribe(() => {
    cost.cpu += 20;
  });
  for (let seq = 1; seq <= 1000; seq += 1) {
    bridge.row(seq);
    clock.advance(10);
  }
  expect(cost.cpu / 10_000).toBeLessThanOrEqual(0.045);
  expect(pictures()).toBeGreaterThan(15);
});

test('a key shows at once, with everything that came before it', () => {
  const { bridge, store, pictures } = opened();
  bridge.row(1);
  bridge.row(2);
  const before = pictures();
  store.act({ type: 'key', name: 'i', text: 'i' });
  expect(pictures()).toBe(before + 1);
  expect(store.model.sessions.size).toBe(2);
});

test('nothing new, no picture but the clock', () => {
  const { clock, pictures } = opened();
  clock.advance(10_000);
  expect(pictures()).toBeLessThanOrEqual(10);
});

test('a refusal of the bridge is said in its own words', async () => {
  const { bridge, store } = opened();
  bridge.row(1);
  bridge.failure = Object.assign(new Error('Nothing is running.'), {
    suggestion: 'There is nothing to interrupt.',
  });
  store.act({ type: 'key', name: 'x', text: 'x' });
  store.act({ type: 'key', name: 'y', text: 'y' });
  await Promise.resolve();
  await Promise.resolve();
  expect(bridge.calls).toEqual(['session.interrupt']);
  expect(store.model.ui.toast?.text).toBe('Nothing is running. There is nothing to interrupt.');
});

test('closing ends the watch and every timer, twice as well as once', () => {
  const { clock, bridge, store } = opened();
  bridge.row(1);
  store.close();
  store.close();
  expect(bridge.listener).toBeUndefined();
  expect(clock.timers).toBe(0);
});

test('the operator is called for what happens while the screen is there, and once', () => {
  const { clock, bridge, performed } = opened();
  const asked = (seq: number, code: string): JournalRow => ({
    seq,
    at: 0,
    session: 's1',
    event: { type: 'permission.asked', code, tool: 'Bash', input: { command: 'ls' }, expires_at: 0 },
  });
  bridge.listener?.({ kind: 'snapshot', snapshot: { seq: 2, sessions: [] } });
  bridge.row(1);
  bridge.listener?.({ kind: 'rows', rows: [asked(2, 'aaaaa')] });
  clock.advance(1000);
  expect(performed).toEqual([]);
  bridge.row(3);
  bridge.listener?.({ kind: 'rows', rows: [{ ...asked(4, 'bbbbb'), session: 's3' }] });
  clock.advance(1000);
  bridge.listener?.({ kind: 'rows', rows: [{ ...asked(4, 'bbbbb'), session: 's3' }] });
  clock.advance(1000);
  expect(performed).toMatchObject([{ type: 'call-operator', notice: { event: 'asks', code: 'bbbbb' } }]);
});
