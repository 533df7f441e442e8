// Which question a call of a tool answers, and whose call it is.
import { beforeEach, expect, test } from 'vitest';
import type { AgentReport } from '../../src/domain/commands.ts';
import type { Ruling } from '../../src/domain/policy/ruling.ts';
import { letThrough } from '../support/rulings.ts';
import { SmallCore } from '../support/small-core.ts';

let core: SmallCore;
beforeEach(() => {
  core = new SmallCore();
  core.submit('t', 'hi');
  core.dispatch({ type: 'prompt.taken', turn: 't', prompt: 'p' });
});

const asking: Ruling = { decision: 'ask', why: 'a rule' };
const calls = (more: object = {}): AgentReport => ({
  type: 'tool.call',
  call: 'c1',
  tool: 'exec',
  args: {},
  ruling: asking,
  question: { code: 'fghij', expires_at: 1 },
  ...more,
});
const uses = (phase: 'started' | 'succeeded'): AgentReport => ({
  type: 'tool.activity',
  tool_use: 'u1',
  tool: 'Bash',
  phase,
});
/** Claude Code itself has asked about a call, and somebody says yes. */
const allowed = (more: object) => {
  const ask = { code: 'abcde', tool: 'mcp__synthesis__exec', input: {}, expires_at: 1 };
  core.happened([{ type: 'permission.asked', ...ask, ...more, turn: 't' }], 'k');
  core.happened(
    [{ type: 'permission.decided', code: 'abcde', verdict: 'allow', by: 'cli', scope: 'once' }],
    'k',
  );
};
const states = () => core.session().asks.map(({ state }) => state.name);

test('a yes to what Claude Code asked counts for that very call', () => {
  allowed({ tool_use: 'u1' });
  expect(core.dispatch(calls({ tool_use: 'u1' })).map(({ type }) => type)).toEqual([
    'tool.called',
    'permission.settled',
  ]);
});

test.each([
  ['of which no tool use is known', {}, {}],
  ['with another tool use', { tool_use: 'u1' }, { tool_use: 'u2' }],
])('it counts for no call %s', (_, asked, called) => {
  allowed(asked);
  expect(core.dispatch(calls(called)).map(({ type }) => type)).toEqual(['permission.asked']);
});

test('the end of a tool is the yes in the terminal, its beginning is not', () => {
  const ask = { code: 'abcde', tool: 'Bash', input: {}, expires_at: 1, tool_use: 'u1', turn: 't' };
  core.happened([{ type: 'permission.asked', ...ask }], 'k');
  core.dispatch(uses('started'));
  expect(states()).toEqual(['asked']);
  core.dispatch(uses('succeeded'));
  expect(states()).toEqual(['settled']);
});

test('a call that waits for its own question has not run, whoever says so', () => {
  core.dispatch(calls({ tool_use: 'u1' }));
  core.dispatch(uses('succeeded'));
  expect(states()).toEqual(['asked']);
});

test('the call of an agent is of the turn that began it', () => {
  core.dispatch({ type: 'task.begin', task: 'a1', kind: 'agent', hook: 1 });
  core.dispatch({ type: 'turn.rest', prompt: 'p' });
  core.submit('next', 'and then?');
  core.dispatch({ type: 'prompt.taken', turn: 'next', prompt: 'q' });
  core.dispatch(calls({ agent: 'a1', ruling: letThrough }));
  core.dispatch(calls({ call: 'c2', ruling: letThrough }));
  expect(core.session().calls.map(({ call, turn }) => [call, turn])).toEqual([
    ['c1', 't'],
    ['c2', 'next'],
  ]);
});
