import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Definition,
  definitionOf,
  definitions,
  type MetricName,
} from '../../../src/bridge/metrics/definitions.ts';
import { RowMetrics } from '../../../src/bridge/metrics/row-metrics.ts';
import { mostSeries, Samples } from '../../../src/bridge/metrics/samples.ts';
import { metricsText } from '../../../src/bridge/metrics/text-format.ts';
import { evolve } from '../../../src/domain/state/evolve.ts';
import { emptySession } from '../../../src/domain/state/session.ts';
import type { SessionEvent } from '../../../src/protocol/events/events.ts';
import { anyHistory } from '../../domain/any-event.ts';
import { Scraped } from '../../support/prometheus.ts';

/** Each event with the second in which it happened. */
type Told = readonly [second: number, event: SessionEvent];

const secret = 'chat:alice';

function told(rows: readonly Told[], metrics = new RowMetrics()): RowMetrics {
  rows.forEach(([second, event], index) => {
    metrics.observe({ seq: index + 1, at: 1_000_000 + second * 1000, session: secret, event });
  });
  return metrics;
}

const scraped = (metrics: RowMetrics) => new Scraped(metricsText([metrics.samples]));

const queued = (turn: string) =>
  ({ type: 'turn.queued', turn, ingress: 'openai', text: 'hi', meta: {} }) as const;
const delta = (turn: string, text: string) =>
  ({ type: 'answer.delta', turn, message: 'm', index: 0, text, final: false }) as const;

test('a turn is timed from its message on: queue, delivery, first text that is some, end', () => {
  const seen = scraped(
    told([
      [0, queued('t1')],
      [2, { type: 'turn.delivering', turn: 't1', attempt: 1 }],
      [3, { type: 'turn.delivering', turn: 't1', attempt: 2 }],
      [5, { type: 'turn.running', turn: 't1' }],
      [6, delta('t1', ' \n')],
      [7, delta('t1', 'Hello')],
      [8, delta('t1', ' again')],
      [12, { type: 'turn.settled', turn: 't1', outcome: 'completed' }],
      // Nobody knows when it began.
      [13, { type: 'turn.settled', turn: 't0', outcome: 'failed', code: 'exited' }],
    ]),
  );
  expect(seen.value('synthesis_messages_total', { ingress: 'openai' })).toBe(1);
  expect(seen.value('synthesis_turn_redeliveries_total')).toBe(1);
  expect(seen.histogram('synthesis_turn_queue_seconds')).toMatchObject({ count: 1, sum: 2 });
  expect(seen.histogram('synthesis_turn_delivery_seconds')).toMatchObject({ count: 1, sum: 2 });
  expect(seen.histogram('synthesis_turn_first_text_seconds')).toMatchObject({ count: 1, sum: 7 });
  const whole = seen.histogram('synthesis_turn_duration_seconds', { outcome: 'completed' });
  expect(whole).toMatchObject({ count: 1, sum: 12 });
  // 12 s lie above the bound of 10 and below that of 30.
  expect(whole.buckets).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]);
  expect(seen.value('synthesis_turns_total', { ingress: 'openai', outcome: 'completed' })).toBe(1);
  expect(seen.value('synthesis_turns_total', { ingress: 'openai', outcome: 'failed' })).toBe(0);
  expect(seen.value('synthesis_turn_failures_total', { code: 'exited' })).toBe(0);
});

test('a turn that was open before the first row is timed from when it was accepted', () => {
  let session = emptySession(secret);
  session = evolve(session, queued('t1'), 1_000_000 - 20_000);
  const seen = scraped(
    told([[5, { type: 'turn.settled', turn: 't1', outcome: 'expired' }]], new RowMetrics([session])),
  );
  expect(seen.histogram('synthesis_turn_duration_seconds', { outcome: 'expired' })).toMatchObject({
    sum: 25,
  });
});

test('questions are timed up to their first answer, and counted by verdict, door and outcome', () => {
  const seen = scraped(
    told([
      [0, { type: 'permission.asked', code: 'abcde', tool: 'Bash', input: {}, expires_at: 0 }],
      [4, { type: 'permission.decided', code: 'abcde', verdict: 'deny', by: 'cli', scope: 'once' }],
      [5, { type: 'permission.settled', code: 'abcde', outcome: 'applied' }],
    ]),
  );
  expect(seen.value('synthesis_asks_total')).toBe(1);
  const labels = { verdict: 'deny', door: 'cli' };
  expect(seen.histogram('synthesis_ask_verdict_seconds', labels)).toMatchObject({ count: 1, sum: 4 });
  expect(seen.value('synthesis_asks_settled_total', { outcome: 'applied' })).toBe(1);
});

test('ends of Claude Code are told apart: failed, stopped, and ended by itself', () => {
  const exited = { type: 'agent.exited', detail: 'code 1' } as const;
  const seen = scraped(
    told([
      [0, { type: 'agent.starting' }],
      [3, { type: 'agent.ready', pid: 1, delivery: 'terminal', health: [] }],
      [4, { type: 'agent.stopping', reason: 'idle' }],
      [5, exited],
      [6, exited],
      [7, { ...exited, failure: 'start_exited' }],
    ]),
  );
  expect(seen.histogram('synthesis_claude_start_seconds', { delivery: 'terminal' })).toMatchObject({
    sum: 3,
  });
  for (const reason of ['stopped', 'exited', 'start_exited'])
    expect(seen.value('synthesis_claude_exits_total', { reason }), reason).toBe(1);
});

test('calls of lent tools are counted by provider and outcome; those of a hub are the hub’s', () => {
  const called = (call: string, provider?: string) =>
    ({
      type: 'tool.called',
      call,
      tool: 'x',
      args: {},
      ...(provider !== undefined && { provider }),
    }) as const;
  const seen = scraped(
    told([
      [0, called('c1', 'files')],
      [0, called('c2')],
      [0, called('c3')],
      [2, { type: 'tool.answered', call: 'c1', ok: false, content: '' }],
      [2, { type: 'tool.dropped', call: 'c2', reason: 'no', denied: true }],
      [2, { type: 'tool.dropped', call: 'c3', reason: 'gone' }],
    ]),
  );
  expect(seen.value('synthesis_tool_calls_total', { provider: 'files', outcome: 'failed' })).toBe(1);
  expect(seen.value('synthesis_tool_calls_total', { provider: 'hub', outcome: 'denied' })).toBe(1);
  expect(seen.value('synthesis_tool_calls_total', { provider: 'hub', outcome: 'dropped' })).toBe(1);
  expect(seen.histogram('synthesis_tool_call_seconds', { provider: 'files' })).toMatchObject({ sum: 2 });
});

test('what is told of costs is counted once: over a new process, a bridge before, and a removal in between', () => {
  const status = (cost_usd: unknown) => ({ type: 'agent.status', status: { cost_usd } }) as const;
  const known = evolve(emptySession(secret), status(1), 1_000_000);
  const metrics = new RowMetrics([known]);
  const counted = () => scraped(metrics).value('synthesis_cost_usd_total');
  told([[0, status('much')]], metrics);
  expect(counted()).toBeUndefined();
  told([[0, status(1.5)]], metrics);
  expect(counted()).toBe(0.5);
  told(
    [
      [1, status(0)],
      [2, status(0.25)],
      [3, { type: 'agent.stopping', reason: 'the session is removed' }],
      [3, { type: 'session.removed', forget: true }],
      // The process says so once more while it ends.
      [4, status(0.25)],
      [5, { type: 'agent.exited', detail: '' }],
      [6, status(0.125)],
    ],
    metrics,
  );
  expect(counted()).toBe(0.875);
});

test('what never happened is 0, and a clock that is set back makes nothing negative', () => {
  const before = scraped(new RowMetrics());
  expect(before.value('synthesis_asks_total')).toBe(0);
  expect(before.histogram('synthesis_turn_queue_seconds')).toMatchObject({ count: 0, sum: 0 });
  const seen = scraped(
    told([
      [9, queued('t1')],
      [0, { type: 'turn.settled', turn: 't1', outcome: 'completed' }],
    ]),
  );
  expect(seen.histogram('synthesis_turn_duration_seconds', { outcome: 'completed' }).sum).toBe(0);
});

test('whatever happens, counters only rise, every sample has its labels, and no session is named', () => {
  fc.assert(
    fc.property(anyHistory, (events) => {
      const metrics = new RowMetrics();
      let before = new Map<string, number>();
      const check = () => {
        const now = totals(metrics.samples);
        for (const [name, value] of before) expect(now.get(name), name).toBeGreaterThanOrEqual(value);
        before = now;
      };
      events.forEach((event, index) => {
        told([[index, event]], metrics);
        if (index % 20 === 0) check();
      });
      check();
      expect(metricsText([metrics.samples])).not.toContain('alice');
    }),
    { numRuns: 50 },
  );
});

/** Of every series that has the labels its definition names. */
function totals(samples: Samples): Map<string, number> {
  const names = Object.keys(definitions) as MetricName[];
  return new Map(
    names.flatMap((name) =>
      samples.of(name).map(({ labels, value }): [string, number] => {
        expect(labels).toHaveLength(definitionOf(name).labels.length);
        return [`${name} ${labels.join()}`, value];
      }),
    ),
  );
}

test('a metric has few series: what is beyond counts as other, and foreign names stay in their quotes', () => {
  const samples = new Samples();
  for (let n = 0; n < mostSeries + 50; n += 1)
    samples.add('synthesis_tool_calls_total', [`p"\\\n${n}`, 'ok']);
  expect(samples.of('synthesis_tool_calls_total')).toHaveLength(mostSeries + 1);
  const text = metricsText([samples]);
  expect(text.trimEnd().split('\n')).toHaveLength(mostSeries + 3);
  const seen = new Scraped(text);
  expect(seen.value('synthesis_tool_calls_total', { provider: 'other', outcome: 'other' })).toBe(50);
  expect(text).toContain(String.raw`provider="p\"\\\n7"`);
});

test('names are as Prometheus wants them: base units, _total for counters alone, a help that is a sentence', () => {
  const all = Object.entries(definitions) as [string, Definition][];
  expect(all.length).toBeGreaterThan(40);
  for (const [name, { type, help, buckets, labels }] of all) {
    expect(name).toMatch(/^(?:synthesis|process|nodejs)_[a-z_]+$/);
    expect(name.endsWith('_total'), name).toBe(type === 'counter');
    if (type === 'histogram') expect(name).toMatch(/_seconds$/);
    expect(help, name).toMatch(/^[A-Z0-9][^\n]*\.$/);
    expect(labels).not.toContain('session');
    expect([...(buckets ?? [])].sort((left, right) => left - right)).toEqual(buckets ?? []);
  }
});
