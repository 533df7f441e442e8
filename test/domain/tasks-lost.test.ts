import { expect, test } from 'vitest';
import { tasksLost } from '../../src/domain/decide/tasks-lost.ts';
import { isForChat } from '../../src/domain/state/errands.ts';
import { endingWords } from '../../src/domain/words/turn-words.ts';
import { SmallCore } from '../support/small-core.ts';

const launch = { cwd: '/w', permissionMode: 'manual', delivery: 'auto' } as const;

/** A conversation in which Claude has answered, and left something at work. */
function atWork(
  meta: Record<string, string> = { chat: 'c1' },
  ingress: 'openai' | 'operator' = 'openai',
): SmallCore {
  const core = new SmallCore();
  core.dispatch({ type: 'turn.submit', turn: 't', claude: 'c', launch, ingress, text: 'go', meta });
  core.dispatch({ type: 'agent.starting', run: 'r1' });
  core.dispatch({ type: 'agent.ready', pid: 1, delivery: 'terminal', health: [] });
  core.dispatch({ type: 'prompt.taken', turn: 't', prompt: 'p' });
  core.dispatch({ type: 'task.begin', task: 'a1', kind: 'agent', title: 'tests', hook: 1 });
  core.dispatch({ type: 'task.begin', task: 'b1', kind: 'shell', title: 'npm run `dev`', hook: 2 });
  core.dispatch({ type: 'task.begin', task: 'm1', kind: 'call', hook: 3 });
  core.dispatch({ type: 'turn.rest', prompt: 'p' });
  return core;
}
const exits = (core: SmallCore) =>
  core.dispatch({
    type: 'agent.exited',
    detail: 'Claude Code ended (signal 9).\nits screen',
    failure: 'exited',
  });
const told = (core: SmallCore) => core.session().turns.filter(({ adopted }) => adopted);

test('whoever attends is told when Claude Code ends with work in the background, and what it was', () => {
  const core = atWork();
  exits(core);
  const [turn, ...others] = told(core);
  expect(others).toEqual([]);
  expect(turn).toMatchObject({ origin: 'task', ingress: 'openai', meta: { chat: 'c1' } });
  expect(turn && isForChat(turn)).toBe(true);
  expect(turn && endingWords(turn, 'k', undefined)).toBe(
    "⚠️ Claude Code stopped, and its background work stopped with it. `agent tests, command npm run 'dev': Claude Code ended (signal 9).`\n\nThat work is not finished. The conversation so far is intact. Ask Claude how it stands.",
  );
  expect(core.session().tasks).toEqual([]);
});

test('after a restart of the bridge, and on another machine, too', () => {
  for (const lost of [undefined, 'alpha']) {
    const core = atWork();
    core.dispatch({ type: 'session.recover', ...(lost !== undefined && { lost }) });
    expect(told(core)[0]?.phase).toMatchObject({ code: 'tasks_lost', outcome: 'failed' });
  }
});

test('the turn that began it is known by what it left behind when it is forgotten itself', () => {
  const core = atWork();
  core.happened(
    [
      {
        type: 'activity',
        turn: 't',
        tool_use: 'u',
        tool: 'Agent',
        phase: 'succeeded',
        errand: { by: 'task', name: 'u', task: 'a1' },
      },
    ],
    'k',
  );
  const forgotten = { ...core.session(), turns: [] };
  expect(tasksLost(forgotten, 'it ended')).toMatchObject([
    { origin: { by: 'task', meta: { chat: 'c1' } } },
    { code: 'tasks_lost', detail: 'agent tests: it ended' },
  ]);
});

test('a message that waits is handed over as before', () => {
  const core = atWork();
  core.hand('next', 'and now?');
  exits(core);
  expect(core.session().turns.map(({ id, phase }) => [id, phase.name])).toContainEqual([
    'next',
    'delivering',
  ]);
});

test('nobody is told of what nobody left, of what has ended, and of a conversation that is removed', () => {
  const ended = atWork();
  for (const task of ['a1', 'b1'])
    ended.dispatch({
      type: 'prompt.foreign',
      turn: `x${task}`,
      text: 'told',
      prompt: task,
      told: { task, status: 'completed' },
    });
  ended.dispatch({ type: 'turn.rest', prompt: 'b1' });
  const before = told(ended).length;
  exits(ended);
  expect(told(ended)).toHaveLength(before);

  const removed = atWork();
  removed.dispatch({ type: 'session.remove' });
  exits(removed);
  expect(told(removed)).toEqual([]);

  const operators = atWork({}, 'operator');
  exits(operators);
  expect(told(operators).filter(isForChat)).toEqual([]);
});

const sender = { id: 'telegram:7', name: 'alice', proven: true };

test('a run that nobody attends and a chat are each told of what was theirs', () => {
  const core = atWork({ unattended: 'heartbeat' });
  const submit = {
    type: 'turn.submit',
    turn: 'u',
    claude: 'c',
    launch,
    ingress: 'openai',
    text: 'go',
  } as const;
  core.dispatch({ ...submit, meta: { chat: 'c2' }, sender });
  core.dispatch({ type: 'prompt.taken', turn: 'u', prompt: 'q' });
  core.dispatch({ type: 'task.begin', task: 'a2', kind: 'agent', title: 'docs', hook: 9 });
  core.dispatch({ type: 'turn.rest', prompt: 'q' });
  exits(core);
  const [first, second, ...others] = told(core);
  expect(others).toEqual([]);
  expect(first).toMatchObject({
    meta: { unattended: 'heartbeat' },
    phase: { detail: expect.stringContaining('npm run') },
  });
  expect(first?.sender).toBeUndefined();
  expect(second).toMatchObject({
    meta: { chat: 'c2' },
    sender,
    text: '',
    phase: { detail: expect.stringMatching(/^agent docs: /) },
  });
});

test('nobody is told of a task that Claude Code does not list any more', () => {
  const core = atWork();
  // Once it is missing, and may be told yet; twice, and it is forgotten.
  core.dispatch({ type: 'tasks.listed', tasks: [{ id: 'b1', kind: 'shell' }], hook: 20 });
  const missed = {
    ...core.session(),
    tasks: core.session().tasks.map((task) => ({ ...task, state: 'missed' as const })),
  };
  expect(tasksLost(missed, 'it ended')).toEqual([]);
  exits(core);
  expect(told(core)).toHaveLength(1);
});
