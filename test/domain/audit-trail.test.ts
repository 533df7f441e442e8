import { expect, test } from 'vitest';
import { auditLines } from '../../src/cli/output/words/audit-lines.ts';
import type { AuditEntry } from '../../src/domain/views/audit/audit-entry.ts';
import type { SessionEvent } from '../../src/protocol/events/events.ts';
import { auditOf as trail } from '../support/audit-of.ts';

const queued = (turn: string): SessionEvent => ({
  type: 'turn.queued',
  turn,
  ingress: 'openai',
  text: 'clean up',
  sender: { id: '42', name: 'Ann' },
  meta: {},
});
const asked = (code: string, turn: string): SessionEvent => ({
  type: 'permission.asked',
  turn,
  code,
  tool: 'Bash',
  input: { command: 'rm -r build' },
  expires_at: 0,
  tool_use: `use-${code}`,
});
const decided = (code: string, verdict: 'allow' | 'deny'): SessionEvent => ({
  type: 'permission.decided',
  code,
  verdict,
  by: 'chat',
  who: '42',
  scope: 'once',
  shown: '0123456789abcdef',
});
const ran = (code: string, phase: 'started' | 'succeeded' | 'failed'): SessionEvent => ({
  type: 'activity',
  turn: 't1',
  tool_use: `use-${code}`,
  tool: 'Bash',
  phase,
  ...(phase !== 'started' && { output: 'done' }),
});
const settled = (code: string, outcome: 'applied' | 'expired'): SessionEvent => ({
  type: 'permission.settled',
  code,
  outcome,
});

test('a question is told from its sender to the result of what ran, once all of it is known', () => {
  const { steps, rest } = trail([
    ['a', queued('t1')],
    ['a', ran('kqzfd', 'started')],
    ['a', asked('kqzfd', 't1')],
    ['a', decided('kqzfd', 'allow')],
    ['a', { type: 'permission.sent', code: 'kqzfd' }],
    ['a', ran('kqzfd', 'succeeded')],
    ['a', settled('kqzfd', 'applied')],
  ]);
  expect(steps.map(({ length }) => length)).toEqual([0, 0, 0, 0, 0, 0, 1]);
  expect(rest).toEqual([]);
  expect(steps[6]?.[0]).toEqual({
    kind: 'question',
    session: 'a',
    code: 'kqzfd',
    asked_at: '2026-01-01T00:00:02.000Z',
    tool: 'Bash',
    input: { command: 'rm -r build' },
    rationale: null,
    cut: false,
    turn: 't1',
    asked_by: { door: 'openai', id: '42', name: 'Ann' },
    agent: null,
    answer: {
      verdict: 'allow',
      by: 'chat',
      who: '42',
      reason: null,
      scope: 'once',
      shown: '0123456789abcdef',
      at: '2026-01-01T00:00:03.000Z',
    },
    outcome: { what: 'applied', detail: null, at: '2026-01-01T00:00:06.000Z' },
    ran: { result: 'succeeded', output: 'done', at: '2026-01-01T00:00:05.000Z' },
    ran_state: 'ran',
    ran_evidence: 'its result was reported',
  });
});

test("a hub's tool is followed to the hub's result", () => {
  const { all } = trail([
    ['a', asked('kqzfd', 't1')],
    ['a', decided('kqzfd', 'allow')],
    ['a', { type: 'tool.called', call: 'c1', tool: 'exec', args: {}, tool_use: 'use-kqzfd' }],
    ['a', settled('kqzfd', 'applied')],
    ['a', { type: 'tool.answered', call: 'c1', ok: false, content: 'refused' }],
  ]);
  expect(all).toMatchObject([{ code: 'kqzfd', ran: { result: 'failed', output: 'refused' } }]);
});

test('the same code and the same turn in two sessions are two things', () => {
  const { rest } = trail([
    ['a', asked('kqzfd', 't1')],
    ['b', asked('kqzfd', 't1')],
    ['b', decided('kqzfd', 'deny')],
  ]);
  const answers = rest.map((entry: AuditEntry) => entry.kind === 'question' && entry.answer?.verdict);
  expect(answers).toEqual([undefined, 'deny']);
});

test('entries come in the order of asking, deeds in between', () => {
  const { all } = trail([
    ['a', asked('first', 't1')],
    ['a', { type: 'lease.taken', lease: 'l', by: 'pid 7' }],
    ['b', asked('other', 't2')],
    ['b', decided('other', 'deny')],
    ['b', settled('other', 'applied')],
    ['a', decided('first', 'deny')],
    ['a', settled('first', 'applied')],
    ['a', { type: 'session.removed' }],
  ]);
  expect(all.map((entry) => (entry.kind === 'deed' ? entry.what : entry.code))).toEqual([
    'first',
    'drives',
    'other',
    'removed',
  ]);
});

test('the end of a turn, of Claude Code or of the session closes what was left open, so nothing piles up', () => {
  for (const end of [
    { type: 'turn.settled', turn: 't1', outcome: 'failed' },
    { type: 'agent.exited', detail: 'killed' },
    { type: 'session.removed' },
  ] as const satisfies SessionEvent[]) {
    const { all, rest } = trail([
      ['a', asked('kqzfd', 't1')],
      ['a', decided('kqzfd', 'allow')],
      ['a', end],
    ]);
    expect(all).toMatchObject([
      { code: 'kqzfd', answer: { verdict: 'allow' }, ran: null },
      ...(end.type === 'session.removed' ? [{ what: 'removed' }] : []),
    ]);
    expect(rest).toEqual([]);
  }
});

test('what Claude begins by itself is nobody’s typing, and its questions are those of whom it speaks for', () => {
  const origin = { by: 'task', ingress: 'openai', sender: { id: '42', name: 'Ann' }, meta: {} } as const;
  const { all, rest } = trail([
    ['a', { type: 'turn.adopted', turn: 't1', text: '<task-notification>', origin }],
    ['a', asked('kqzfd', 't1')],
    ['a', { type: 'turn.adopted', turn: 't2', text: 'by hand' }],
  ]);
  const entries = [...all, ...rest];
  expect(entries.filter(({ kind }) => kind === 'question')).toMatchObject([
    { asked_by: { door: 'openai', id: '42', name: 'Ann' } },
  ]);
  expect(entries.filter(({ kind }) => kind === 'deed')).toMatchObject([{ what: 'typed', detail: 'by hand' }]);
});

test('who interrupts a turn does so once, however often a bridge that is started anew has to do it again', () => {
  const cancelling: SessionEvent = { type: 'turn.cancelling', turn: 't1', by: 'Ann' };
  const again: SessionEvent = { type: 'agent.adopted', pid: 2 };
  const { all } = trail([queued('t1'), cancelling, again, cancelling].map((event) => ['a', event] as const));
  expect(all).toMatchObject([{ kind: 'deed', what: 'interrupted', by: 'Ann' }]);
});

test('the question of an agent names it, in the trail and in the words of `audit`', () => {
  const question = asked('kqzfd', 't1') as Extract<SessionEvent, { type: 'permission.asked' }>;
  const { all, rest } = trail([
    ['a', queued('t1')],
    ['a', { ...question, agent: { id: 'a1', title: 'the "tests"\u202e\nasked for' } }],
    ['a', { ...question, code: 'bqxzt', agent: { id: 'a2' } }],
  ]);
  const [first, second] = [...all, ...rest].filter((entry) => entry.kind === 'question');
  expect(first?.agent).toEqual({ id: 'a1', title: 'the "tests"\u202e\nasked for' });
  expect(second?.agent).toEqual({ id: 'a2', title: null });
  expect(first && auditLines(first).split('\n')[1]).toMatch(
    /^ {4}asked for openai.*, by the agent "the 'tests'⟦U\+202E⟧ asked for"$/,
  );
  expect(second && auditLines(second).split('\n')[1]).toMatch(/, by an agent of Claude$/);
});

test('the question of an agent outlives the turn that began it, and is told whole with whom it was asked for', () => {
  const question = { ...asked('kqzfd', 't1'), agent: { id: 'a1', title: 'tests' } } as SessionEvent;
  const later = { ...asked('bqxzt', 't1'), agent: { id: 'a1', title: 'tests' } } as SessionEvent;
  const end: SessionEvent = { type: 'turn.settled', turn: 't1', outcome: 'completed' };
  const denied = (code: string): SessionEvent[] => [
    { type: 'permission.decided', code, verdict: 'deny', by: 'chat', scope: 'once' },
    { type: 'permission.settled', code, outcome: 'applied' },
  ];
  const rows = [queued('t1'), question, end, later, ...denied('kqzfd'), ...denied('bqxzt')];
  const { all, rest } = trail(rows.map((event) => ['a', event] as const));
  const told = { asked_by: { id: '42' }, answer: { verdict: 'deny' }, outcome: { what: 'applied' } };
  expect(all).toMatchObject([
    { code: 'kqzfd', ...told },
    { code: 'bqxzt', ...told },
  ]);
  expect(rest).toEqual([]);
});

test('who wrote a turn is remembered for the last 64 of a conversation', () => {
  const turns = Array.from({ length: 65 }, (_, n) => `t${n}`);
  const { rest } = trail([
    ...turns.map((turn) => ['a', queued(turn)] as const),
    ['a', asked('kqzfd', 't0')],
    ['a', asked('bqxzt', 't1')],
  ]);
  expect(rest).toMatchObject([{ asked_by: null }, { asked_by: { id: '42' } }]);
});
