import { expect, test } from 'vitest';
import { notification, stoppedByUser, type Task } from '../../src/demo/claude/tasks/task.ts';
import { Tasks } from '../../src/demo/claude/tasks/tasks.ts';

const agent: Task = {
  id: 'a1',
  type: 'subagent',
  description: 'tests',
  agentType: 'general-purpose',
  toolUse: 'toolu_1',
  outputFile: '/tmp/a1.output',
};
const shell: Task = {
  id: 'b1',
  type: 'shell',
  description: 'the build',
  command: 'make',
  toolUse: 'toolu_2',
  outputFile: '/tmp/b1.output',
};
const call: Task = { id: 'k1', type: 'MCP task', description: 'lent/slow', server: 'lent', tool: 'slow' };

function track() {
  const told: string[] = [];
  const counts: number[] = [];
  const tasks = new Tasks({
    tell: (text) => told.push(text),
    onAgents: (count) => counts.push(count),
    outputFile: (id) => `/tmp/${id}.output`,
  });
  return { tasks, told, counts };
}

test('each kind is listed with what only it has', () => {
  const { tasks } = track();
  for (const task of [agent, shell, call]) tasks.begin(task);
  expect(tasks.list()).toEqual([
    { id: 'a1', type: 'subagent', status: 'running', description: 'tests', agent_type: 'general-purpose' },
    { id: 'b1', type: 'shell', status: 'running', description: 'the build', command: 'make' },
    {
      id: 'k1',
      type: 'MCP task',
      status: 'running',
      description: 'lent/slow',
      server: 'lent',
      tool: 'slow',
    },
  ]);
});

test('an end is told once, and only agents are counted', () => {
  const { tasks, told, counts } = track();
  tasks.begin(agent);
  tasks.begin(shell);
  tasks.end(agent, { status: 'completed', result: 'all green' });
  tasks.end(agent, { status: 'killed' });
  expect(told).toEqual([notification(agent, { status: 'completed', result: 'all green' })]);
  expect(counts).toEqual([1, 1, 0]);
  expect(tasks.list()).toHaveLength(1);
});

test('what is forgotten, or ends with the session, is told to nobody', () => {
  const { tasks, told } = track();
  tasks.begin(agent);
  tasks.begin(shell);
  expect(tasks.forget(agent)).toBe(true);
  expect(tasks.forget(agent)).toBe(false);
  tasks.close();
  tasks.end(shell, { status: 'completed', result: '' });
  expect(tasks.signal.aborted).toBe(true);
  expect(told).toEqual([]);
});

const lines = (text: string) => text.split('\n').filter((line) => !line.startsWith('<note>'));

test('a result stands in the news of an agent and of an MCP call, each in its own shape', () => {
  expect(lines(notification(agent, { status: 'completed', result: 'all green' }))).toEqual([
    '<task-notification>',
    '<task-id>a1</task-id>',
    '<tool-use-id>toolu_1</tool-use-id>',
    '<output-file>/tmp/a1.output</output-file>',
    '<status>completed</status>',
    '<summary>Agent "tests" finished</summary>',
    '<result>all green</result>',
    '</task-notification>',
  ]);
  expect(lines(notification(call, { status: 'completed', result: 'done' }))).toEqual([
    '<task-notification>',
    '<task-id>k1</task-id>',
    '<status>completed</status>',
    '<summary>MCP task k1 (lent/slow) completed.</summary>',
    '<result>',
    'done',
    '</result>',
    '</task-notification>',
  ]);
});

test.each([
  [agent, { status: 'killed' } as const, 'Agent "tests" was stopped by Claude'],
  [agent, { status: 'failed', result: 'no more' } as const, 'Agent "tests" failed: no more'],
  [
    shell,
    { status: 'completed', result: '' } as const,
    'Background command "the build" completed (exit code 0)',
  ],
  [
    shell,
    { status: 'failed', result: 'Exit code 2\nno rule' } as const,
    'Background command "the build" failed with exit code 2',
  ],
])('%# ends are named by what happened', (task, ending, summary) => {
  expect(notification(task, ending)).toContain(`<summary>${summary}</summary>`);
});

test('what a person stopped is named', () => {
  expect(stoppedByUser(['one'])).toBe('Background agent "one" was stopped by the user.');
  expect(stoppedByUser(['one', 'two'])).toBe('2 background agents were stopped by the user: "one", "two".');
});
