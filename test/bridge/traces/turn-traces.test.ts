import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Span, Trace } from '../../../src/bridge/traces/spans.ts';
import { mostSpans, TurnTraces } from '../../../src/bridge/traces/turn-traces.ts';
import { evolve } from '../../../src/domain/state/evolve.ts';
import { emptySession } from '../../../src/domain/state/session.ts';
import type { SessionEvent } from '../../../src/protocol/events/events.ts';
import { anyHistory } from '../../domain/any-event.ts';

type Told = readonly [at: number, event: SessionEvent];

const parent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const key = 'chat:alice';

const queued = (turn: string) =>
  ({ type: 'turn.queued', turn, ingress: 'openai', text: 'a secret', meta: {}, trace: parent }) as const;

function traced(rows: readonly Told[], traces = new TurnTraces(() => 'id')): Trace[] {
  return rows.flatMap(
    ([at, event], index) => traces.observe({ seq: index + 1, at, session: key, event }) ?? [],
  );
}

/** `name began-ended`, children behind it. */
const tree = ({ name, began, ended, children }: Span): unknown[] => [
  `${name} ${began}-${ended}`,
  ...children.map(tree),
];

test('a turn is one trace: queue, delivery, turn, and in it tools, calls and questions', () => {
  const [trace, more] = traced([
    [0, queued('t')],
    [1, { type: 'turn.delivering', turn: 't', attempt: 1 }],
    [2, { type: 'turn.delivering', turn: 't', attempt: 2 }],
    [3, { type: 'turn.running', turn: 't' }],
    [4, { type: 'activity', turn: 't', tool_use: 'u', tool: 'Bash', phase: 'started', input: 'a secret' }],
    [5, { type: 'permission.asked', turn: 't', code: 'abcde', tool: 'Bash', input: {}, expires_at: 0 }],
    [6, { type: 'permission.decided', code: 'abcde', verdict: 'allow', by: 'cli', scope: 'once' }],
    [7, { type: 'activity', turn: 't', tool_use: 'u', tool: 'Bash', phase: 'failed' }],
    [8, { type: 'tool.called', turn: 't', call: 'c', tool: 'look', args: {}, provider: 'files' }],
    [9, { type: 'turn.settled', turn: 't', outcome: 'failed', code: 'exited' }],
    [10, { type: 'turn.settled', turn: 't', outcome: 'failed', code: 'exited' }],
  ]);
  expect(more).toBeUndefined();
  expect(trace?.parent).toBe(parent);
  expect(trace && tree(trace.span)).toEqual([
    'request 0-9',
    ['queue 0-1'],
    ['delivery 1-3'],
    ['turn 3-9', ['tool Bash 4-7'], ['ask 5-6'], ['call look 8-9']],
  ]);
  expect(trace?.span).toMatchObject({
    failed: 'exited',
    attributes: { 'synthesis.session': 'id', 'synthesis.turn': 't', 'synthesis.code': 'exited' },
  });
  const [bash, ask, call] = trace?.span.children[2]?.children ?? [];
  expect(bash?.failed).toBe('failed');
  expect(ask?.attributes).toEqual({
    'synthesis.tool': 'Bash',
    'synthesis.verdict': 'allow',
    'synthesis.door': 'cli',
  });
  expect(call?.attributes).toEqual({ 'synthesis.provider': 'files', 'synthesis.unfinished': true });
  for (const word of ['secret', 'alice']) expect(JSON.stringify(trace)).not.toContain(word);
});

test('a turn that was open before is traced from its message on, under the same parent', () => {
  const session = evolve(emptySession(key), queued('t'), 5);
  const traces = new TurnTraces(() => 'id', [session]);
  const [trace] = traced([[20, { type: 'turn.settled', turn: 't', outcome: 'completed' }]], traces);
  expect(trace).toMatchObject({ parent, span: { name: 'request', began: 5, ended: 20 } });
});

test('a turn of thousands of tools has a bounded trace, and one that is withdrawn none', () => {
  const tools = Array.from({ length: 5000 }, (_, n): Told[] => [
    [2, { type: 'activity', turn: 't', tool_use: `u${n}`, tool: 'Read', phase: 'started' }],
    [3, { type: 'activity', turn: 't', tool_use: `u${n}`, tool: 'Read', phase: 'succeeded' }],
  ]);
  const [trace] = traced([
    [0, queued('t')],
    [1, { type: 'turn.running', turn: 't' }],
    ...tools.flat(),
    [9, { type: 'turn.settled', turn: 't', outcome: 'completed' }],
  ]);
  expect(trace?.span.children[1]?.children).toHaveLength(mostSpans - 3);
  expect(
    traced([
      [0, queued('t')],
      [1, { type: 'turn.withdrawn', turn: 't' }],
      [2, { type: 'turn.settled', turn: 't', outcome: 'completed' }],
    ]),
  ).toEqual([]);
});

test('whatever happens, no span ends before it began or is outside of its trace', () => {
  const within = (span: Span, from: number, to: number): void => {
    expect(span.began).toBeGreaterThanOrEqual(from);
    expect(span.ended).toBeGreaterThanOrEqual(span.began);
    expect(span.ended).toBeLessThanOrEqual(to);
    for (const child of span.children) within(child, from, to);
  };
  fc.assert(
    fc.property(anyHistory, (events) => {
      const rows = events.map((event, at): Told => [at, event]);
      for (const { span } of traced(rows)) within(span, span.began, span.ended);
    }),
    { numRuns: 50 },
  );
});
