import { expect, test } from 'vitest';
import { addCost, type Cost, keptDays } from '../../src/domain/state/cost.ts';
import { evolve } from '../../src/domain/state/evolve.ts';
import { emptySession, type Session } from '../../src/domain/state/session.ts';
import { restoredEvent } from '../../src/domain/state/snapshot.ts';
import { costReport } from '../../src/domain/views/cost-report.ts';
import { sessionCost } from '../../src/domain/views/session/session-cost.ts';
import { sessionRow } from '../../src/domain/views/session/session-row.ts';
import type { SessionEvent } from '../../src/protocol/events/events.ts';

const dayMs = 86_400_000;
const at = Date.parse('2026-02-03T23:00:00Z');

const status = (cost_usd: unknown): SessionEvent => ({ type: 'agent.status', status: { cost_usd } });

function session(events: readonly SessionEvent[], from: Session = emptySession('notes'), when = at): Session {
  return events.reduce((state, event) => evolve(state, event, when), from);
}

const usdOf = (state: Session) => sessionRow(state, 'id').cost_usd;

test('running totals add up over processes that begin at 0, and over one that was resumed where it was', () => {
  const told = [0, 0.1, 0.3, 0, 0.05, 0.05, 0.07].map(status);
  expect(usdOf(session(told))).toBe(0.37);
});

test('nothing is told of a session until Claude Code tells it, and what is no amount of money is nothing', () => {
  expect(usdOf(session([]))).toBeNull();
  const broken = [undefined, null, '1', -1, Number.NaN, Number.POSITIVE_INFINITY, 1e300, {}].map(status);
  expect(usdOf(session(broken))).toBeNull();
  expect(usdOf(session([status(0)]))).toBe(0);
  expect(usdOf(session([status(0.5), ...broken, status(0.75)]))).toBe(0.75);
});

test('each day has what was told on it, and the oldest of many days is dropped while the sum keeps it', () => {
  let cost: Cost | undefined;
  for (let day = 0; day < keptDays * 3; day += 1) cost = addCost(cost, (day + 1) * 0.5, at + day * dayMs);
  expect(cost?.usd).toBe(keptDays * 3 * 0.5);
  const days = Object.entries(cost?.days ?? {}).sort();
  expect(days).toHaveLength(keptDays);
  expect(days.at(-1)).toEqual([new Date(at + (keptDays * 3 - 1) * dayMs).toISOString().slice(0, 10), 0.5]);
});

test('a compaction keeps it, and the total that was told last with it', () => {
  const before = session([status(0.2), status(0.5)]);
  const event: SessionEvent = JSON.parse(JSON.stringify(restoredEvent(before)));
  const after = session([event, status(0.6)]);
  expect(usdOf(after)).toBe(0.6);
  expect(sessionCost(after, 'id').days).toEqual([{ day: '2026-02-03', usd: 0.6 }]);
});

test('a conversation that is removed takes its cost with it; the next one of its process begins at nothing', () => {
  const opened: SessionEvent = { type: 'session.opened', ingress: 'openai' };
  const forgotten = session([opened, status(0.5), { type: 'session.removed', forget: true }]);
  expect(forgotten.cost).toBeUndefined();
  const again = session([opened, status(0.5), { type: 'session.removed' }, opened]);
  expect(usdOf(again)).toBeNull();
  expect(usdOf(session([status(0.6)], again))).toBe(0.1);
});

test('a report adds sessions and days up, leaves out what was not told, and what is before its first day', () => {
  const first = session([status(1)]);
  const later = session([status(1.25)], first, at + dayMs);
  const other = session([status(0.1)], emptySession('other'), at + dayMs);
  const costs = [later, other, emptySession('silent')].map((each) => sessionCost(each, each.key));
  const [yesterday, today] = ['2026-02-03', '2026-02-04'];
  expect(costReport(costs, undefined)).toMatchObject({
    since: null,
    usd: 1.35,
    sessions: [{ usd: 1.25 }, { usd: 0.1 }, { usd: null, days: [] }],
    days: [
      { day: yesterday, usd: 1 },
      { day: today, usd: 0.35 },
    ],
  });
  expect(costReport(costs, today)).toMatchObject({
    since: today,
    usd: 0.35,
    sessions: [{ usd: 0.25 }, { usd: 0.1 }, { usd: null }],
    days: [{ day: today, usd: 0.35 }],
  });
  expect(costReport([], undefined)).toEqual({ since: null, usd: null, sessions: [], days: [] });
});
