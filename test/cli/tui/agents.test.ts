// Agents that work beside a session's turns, on the operator's screen.
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import type { SessionEvent } from '../../../src/protocol/events/events.ts';
import { noon, Seat } from './seat.ts';

const key = 'agent:main:telegram:direct:4242';

const began = (task: string, title: string): SessionEvent => ({
  type: 'task.began',
  task,
  kind: 'agent',
  title,
  turn: `t-${key}`,
  hook: 1,
});

/** Two agents, 40 s apart; the session is idle. */
function seatWithAgents(columns = 80, rows = 24): Seat {
  const seat = new Seat(columns, rows);
  seat.working(key);
  seat.happens(key, began('a1', 'tests'));
  seat.happens(key, {
    type: 'activity',
    agent: 'a1',
    tool_use: 'u',
    tool: 'Bash',
    phase: 'started',
    input: { command: 'npm test' },
  });
  seat.says(key, 'I have begun.');
  seat.ends(key);
  seat.now += 40_000;
  seat.happens(key, began('a2', 'docs'));
  seat.act({ type: 'tick', now: noon + 80_000 });
  return seat;
}

test('an idle session waits for its agents, and a row below its transcript says what each does', () => {
  const seat = seatWithAgents();
  expect(seat.row('● idle')).toMatch(/● idle +2 agents /);
  expect(seat.row('at work')).toBe(' ◆ 2 agents at work: tests 1m20s (Bash), docs 40s');
  // Below the transcript, above the status bar.
  expect(seat.rows.at(-2)).toContain('2 agents at work');
  expect(seat.screen).toContain('I have begun.');
  seat.happens(key, { type: 'task.ended', task: 'a1', status: 'completed' });
  expect(seat.row('at work')).toBe(' ◆ 1 agent at work: docs 40s');
  seat.happens(key, { type: 'task.ended', task: 'a2', status: 'completed', told: true });
  expect(seat.screen).not.toContain('at work');
});

test.each([
  [40, 12],
  [80, 24],
  [140, 40],
])('at %i × %i the row takes none from the end of the transcript', (columns, rows) => {
  const seat = seatWithAgents(columns, rows);
  for (const turn of ['next', 'last']) seat.happens(key, ...answered(turn, `${'line\n'.repeat(60)}the end`));
  seat.press('2');
  expect(seat.screen).toContain('the end');
  expect(seat.screen).toContain('2 agents at work');
  seat.press('pageup', 'pageup', 'G');
  expect(seat.screen).toContain('the end');
  for (const row of seat.rows) expect(stringWidth(row)).toBeLessThanOrEqual(columns);
});

const answered = (turn: string, text: string): SessionEvent[] => [
  { type: 'turn.queued', turn, ingress: 'openai', text: 'go on', meta: {} },
  { type: 'turn.running', turn },
  { type: 'answer.delta', turn, message: turn, index: 0, text, final: true },
  { type: 'turn.settled', turn, outcome: 'completed' },
];

test('all of a session shows each of its agents', () => {
  const seat = seatWithAgents(100, 40);
  seat.press('i');
  expect(seat.row('state  ')).toContain('● idle, 2 agents at work');
  expect(seat.row('tests')).toMatch(/agent +tests {2}1m20s {2}Bash/);
  expect(seat.row('docs')).toMatch(/agent +docs {2}40s/);
});

test('the question of an agent says whose it is, and no title can pass for a part of the screen', () => {
  const seat = seatWithAgents(100, 40);
  const title = 'x"\u001b[2J\u202e\nagent    Claude';
  const asked = { turn: `t-${key}`, tool: 'Bash', input: { command: 'rm -r build' }, expires_at: noon };
  seat.happens(
    key,
    { type: 'permission.asked', code: 'kmqtr', ...asked, agent: { id: 'a1', title } },
    { type: 'permission.asked', code: 'bqxzt', ...asked, agent: { id: 'a2' } },
    { type: 'permission.asked', code: 'fghij', ...asked },
  );
  const agentOf = (code: string) => {
    const overlay = { name: 'ask', code, top: 0, read: 0 } as const;
    seat.model = { ...seat.model, ui: { ...seat.model.ui, overlay } };
    return seat.rows
      .filter((row) => /\bagent {4}/.test(row))
      .map((row) => row.slice(row.indexOf('agent    ')));
  };
  expect(agentOf('kmqtr').map((row) => row.trim())).toEqual([
    expect.stringMatching(/^agent {4}x'⟦U\+001B⟧\[2J⟦U\+202E⟧ agent Claude\b/),
  ]);
  expect(agentOf('bqxzt')).toEqual([expect.stringMatching(/^agent {4}unnamed/)]);
  expect(agentOf('fghij')).toEqual([]);
});

test('in the transcript the question of an agent stays open behind the end of the turn that began it', () => {
  const seat = seatWithAgents(100, 40);
  const agent = { id: 'a1', title: 'tests' };
  const asked = { turn: `t-${key}`, tool: 'Bash', input: { command: 'rm -r build' }, expires_at: noon };
  seat.happens(key, { type: 'permission.asked', code: 'kmqtr', ...asked, agent });
  seat.happens(key, ...answered('next', 'Meanwhile.'));
  expect(seat.row('asks you')).toMatch(/▲ the agent "tests" asks you: kmqtr Bash {2}rm -r build$/);
  seat.happens(key, {
    type: 'permission.decided',
    code: 'kmqtr',
    verdict: 'allow',
    by: 'tui',
    scope: 'once',
  });
  expect(seat.row('allowed')).toMatch(/✓ allowed Bash {2}rm -r build/);
});

test('what Claude writes next stands behind the question of an agent, whose tools are not shown', () => {
  const seat = new Seat(100, 40);
  seat.working(key);
  const writes = (message: string, index: number, text: string, final = false) =>
    seat.happens(key, { type: 'answer.delta', turn: `t-${key}`, message, index, text, final });
  const agentAsks = (code: string) => {
    const asked = { turn: `t-${key}`, code, tool: 'Write', input: { file_path: '/a' }, expires_at: noon };
    seat.happens(key, { type: 'permission.asked', ...asked, agent: { id: 'a1', title: 'tests' } });
  };
  seat.happens(key, { type: 'activity', agent: 'a1', tool_use: 'u', tool: 'Grep', phase: 'started' });
  writes('m', 0, 'They ');
  agentAsks('kmqtr');
  writes('m', 1, 'work.', true);
  agentAsks('bqxzt');
  writes('m2', 0, 'Then more.', true);
  seat.press('2', 'z');
  const marks = /They work\.|kmqtr|bqxzt|Then more\.|Grep/g;
  expect([...seat.screen.matchAll(marks)].map(([found]) => found)).toEqual([
    'They work.',
    'kmqtr',
    'bqxzt',
    'Then more.',
  ]);
});
