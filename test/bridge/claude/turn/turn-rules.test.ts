// Each rule of a turn by itself: what would be told wrongly without it.
import { beforeEach, describe, expect, test } from 'vitest';
import { keptTurns } from '../../../../src/domain/state/session.ts';
import type { SessionEvent } from '../../../../src/protocol/events/events.ts';
import { HookedRun, outcome } from '../hooked-run.ts';

let claude: HookedRun;
beforeEach(() => {
  claude = new HookedRun();
});

const told = (task: string) =>
  `<task-notification>\n<task-id>${task}</task-id>\n<status>completed</status>\n</task-notification>`;
const bash = { tool_name: 'Bash', tool_input: { command: 'rm x' } };
const uses = (id: string, more = {}) => claude.hook('PreToolUse', { ...bash, tool_use_id: id, ...more });
const asks = (id: string, more = {}) => {
  uses(id, more);
  claude.hook('PermissionRequest', { ...bash, ...more });
};
const ran = (tool_name: string, tool_response: object) =>
  claude.hook('PostToolUse', {
    tool_name,
    tool_input: {},
    tool_response,
    tool_use_id: `use of ${tool_name}`,
  });
const begins = (agent_id: string) => claude.hook('SubagentStart', { agent_id });
const cancels = (turn: string) => claude.core.dispatch({ type: 'turn.cancel', turn, by: 'alice' });
const tasks = () => claude.session.tasks.map(({ id, state }) => `${id} ${state}`);
const endings = () => claude.adopted.map(outcome);

describe('what begins while a turn runs', () => {
  test('ends that turn, of which nothing more was told', () => {
    claude.working();
    claude.submit(told('b1'), 'q');
    expect(claude.turn('t').phase).toMatchObject({ outcome: 'cancelled', detail: "in Claude's terminal" });
  });

  test('ends it as whoever interrupted it said', () => {
    claude.working();
    cancels('t');
    claude.submit(told('b1'), 'q');
    expect(claude.turn('t').phase).toMatchObject({ outcome: 'cancelled', detail: 'alice' });
  });

  test('completes one that rested', () => {
    claude.working();
    claude.stop('lost');
    claude.submit(told('b1'), 'q');
    expect(outcome(claude.turn('t'))).toEqual(['completed', 'lost']);
  });

  test('is before the message that waits', () => {
    claude.working();
    claude.core.hand('next', 'and then?');
    claude.core.happened([{ type: 'turn.requeued', turn: 'next' }], 'k');
    claude.submit(told('b1'), 'q');
    expect(claude.turn('next').phase.name).toBe('queued');
    claude.stop('');
    expect(claude.turn('next').phase.name).toBe('delivering');
  });

  test('is nothing while the main thread asks', () => {
    claude.working();
    asks('u1');
    claude.submit(told('b1'), 'q');
    expect([claude.adopted, claude.turn('t').phase.name]).toEqual([[], 'running']);
  });

  test.each([
    ['an agent', { agent: { id: 'a1' } }],
    ['a call', { call: 'c1' }],
  ])('is a turn while only %s asks', (_, who) => {
    claude.working();
    claude.stop('');
    const ask = { code: 'abcde', tool: 'Bash', input: {}, expires_at: 1, ...who };
    claude.core.happened([{ type: 'permission.asked', ...ask }], 'k');
    claude.submit(told('b1'), 'q');
    expect(endings()).toEqual([['running', '']]);
  });

  test('is part of a message by channel of which it is not known yet what it runs under, if somebody typed it', () => {
    claude.expect('t', 'hi', 'channel');
    claude.run.taken('t');
    claude.submit('by hand', 'q');
    expect([claude.adopted, claude.session.held]).toEqual([[], ['by hand']]);
  });

  test.each<[string, () => void]>([
    ['text', () => claude.say('hello', { prompt_id: 'q' })],
    ['a tool', () => uses('u1', { prompt_id: 'q' })],
  ])('gives a message by channel its prompt: %s', (_, happens) => {
    claude.expect('t', 'hi', 'channel');
    claude.run.taken('t');
    expect(claude.run.turns.proven).toBe(false);
    happens();
    expect(claude.turn('t').phase).toMatchObject({ name: 'running', prompt: 'q' });
    expect(claude.run.turns.proven).toBe(true);
  });
});

describe('the ends of two tasks', () => {
  beforeEach(() => {
    claude.submit(told('b1'), 'A');
  });

  test.each<[string, () => void]>([
    ['text', () => claude.say('one')],
    ['a tool', () => uses('u1')],
    ['a Stop', () => claude.stop('lost')],
  ])('are two turns with %s between them', (_, happens) => {
    happens();
    claude.submit(told('b2'), 'B');
    expect(claude.adopted).toHaveLength(2);
  });

  test('are one with an agent’s tool between them', () => {
    uses('u1', { agent_id: 'a1' });
    claude.submit(told('b2'), 'B');
    expect(claude.adopted).toHaveLength(1);
  });

  test('are one where no prompt has an id', () => {
    claude.stop('');
    const before = claude.adopted.length;
    for (const prompt of [told('b2'), told('b3')])
      claude.hook('UserPromptSubmit', { prompt, prompt_id: undefined });
    expect(claude.adopted).toHaveLength(before + 1);
  });

  test('are one under both prompts, while it runs and when it is over', () => {
    claude.submit(told('b2'), 'B');
    claude.say('one', { prompt_id: 'A' });
    expect(claude.adopted[0]?.phase).toMatchObject({ prompt: 'B', earlier: ['A'] });
    claude.stop('one', { prompt_id: 'B' });
    claude.stop('one', { prompt_id: 'A' });
    expect(endings()).toEqual([['completed', 'one']]);
  });

  test('leave alone what somebody typed between them', () => {
    claude.submit('by hand', 'A');
    claude.submit(told('b2'), 'B');
    expect([claude.adopted.length, claude.session.held]).toEqual([1, ['by hand']]);
  });

  test('are no turn with what somebody types', () => {
    claude.submit('by hand', 'B');
    expect(claude.adopted.map(({ text }) => text)).toEqual([told('b1'), 'by hand']);
  });
});

describe('what somebody typed while Claude worked', () => {
  beforeEach(() => {
    claude.working();
    claude.submit('by hand');
  });

  test('is not what the end of a task begins, and is taken once', () => {
    claude.submit(told('b0'));
    claude.submit(told('b1'), 'q');
    expect(claude.session.held).toEqual(['by hand']);
    claude.stop('');
    claude.say('yes', { prompt_id: 'r' });
    expect(claude.adopted.map(({ text }) => text)).toEqual([told('b1'), 'by hand']);
    expect(claude.session.held).toEqual([]);
  });

  test('was taken when a message of ours begins', () => {
    claude.stop('');
    claude.working('next', 'and then?', 'q');
    expect(claude.session.held).toEqual([]);
  });

  test('may be what an unknown prompt is, whatever is on its way', () => {
    claude.stop('');
    claude.expect('next', 'and then?');
    claude.say('yes', { prompt_id: 'r' });
    expect([claude.adopted.map(({ text }) => text), claude.turn('next').phase.name]).toEqual([
      ['by hand'],
      'delivering',
    ]);
  });
});

describe('a message of ours', () => {
  test('that was given up is a turn of nobody as soon as Claude Code takes it', () => {
    claude.expect('t', 'hi');
    claude.core.dispatch({ type: 'turn.expire', turn: 't', code: 'delivery_failed' });
    claude.submit('hi');
    expect(claude.adopted).toMatchObject([{ text: 'hi', phase: { name: 'running', prompt: 'p' } }]);
  });

  test('that was given up is nothing new in the turn that runs', () => {
    claude.working('before', 'go');
    claude.expect('t', 'hi');
    claude.core.dispatch({ type: 'turn.expire', turn: 't', code: 'delivery_failed' });
    claude.submit('hi');
    expect([claude.adopted, claude.turn('before').phase.name]).toEqual([[], 'running']);
  });

  test.each<[string, () => void]>([
    ['an agent does under an unknown prompt', () => uses('u1', { agent_id: 'a1', prompt_id: 'z' })],
    ['is late of the turn before', () => claude.say('late', { message_id: 'z' })],
  ])('is not what %s', (_, happens) => {
    claude.working('before', 'go');
    claude.stop('');
    claude.expect('t', 'hi');
    happens();
    expect(claude.turn('t').phase.name).toBe('delivering');
  });

  test('that Claude Code keeps is before the next one', () => {
    claude.working('before', 'go');
    claude.stop('');
    claude.expect('t', 'hi');
    claude.submit('hi');
    claude.core.hand('next', 'and then?');
    claude.core.happened([{ type: 'turn.requeued', turn: 'next' }], 'k');
    claude.submit(told('b1'), 'q');
    claude.stop('');
    expect([claude.turn('next').phase.name, claude.run.turns.queued]).toEqual(['queued', true]);
    claude.say('hello', { prompt_id: 'r' });
    claude.stop('hello', { prompt_id: 'r' });
    expect([outcome(claude.turn('t')), claude.turn('next').phase.name]).toEqual([
      ['completed', 'hello'],
      'delivering',
    ]);
  });
});

describe('a message by channel', () => {
  const wrapped = '<channel source="synthesis">hi</channel>';
  const piece = { message_id: 'm', index: 0, delta: 'hello', final: true };

  test('has its prompt once, whichever hook told it', () => {
    claude.expect('t', 'hi', 'channel');
    claude.run.taken('t');
    claude.say('hello', { prompt_id: 'q' });
    const before = claude.core.events.length;
    claude.submit(wrapped, 'q');
    expect(claude.core.events.slice(before)).toEqual([]);
    expect(claude.run.expected).toBeUndefined();
  });

  test('that was written has its prompt when its hook comes', () => {
    claude.expect('t', 'hi', 'channel');
    claude.run.taken('t');
    const before = claude.core.events.length;
    claude.run.taken('t');
    expect(claude.core.events.slice(before)).toEqual([]);
    claude.submit(wrapped, 'q');
    expect([claude.turn('t').phase, claude.core.refused]).toEqual([{ name: 'running', prompt: 'q' }, []]);
  });

  test('says what it says without a prompt id, and nothing else is news', () => {
    claude.expect('t', 'hi', 'channel');
    claude.run.taken('t');
    const nameless = (event: string, more: object) =>
      claude.events(event, { ...more, prompt_id: undefined }).map(({ type }) => type);
    expect(nameless('MessageDisplay', piece)).toEqual(['answer.delta']);
    expect(nameless('PreToolUse', { ...bash, tool_use_id: 'u1' })).toEqual(['activity', 'policy.ruled']);
    expect(claude.turn('t').phase).toEqual({ name: 'running' });
  });

  test('is not begun by what Claude does under a prompt that nobody told of', () => {
    claude.expect('t', 'hi', 'channel');
    claude.say('hello', { prompt_id: 'q' });
    expect(claude.turn('t').phase.name).toBe('delivering');
  });

  test('that is behind what runs begins when Claude Code tells of it', () => {
    claude.expect('t', 'hi', 'channel');
    claude.run.taken('t');
    claude.submit(told('b1'), 'q');
    claude.stop('');
    claude.submit(wrapped, 'r');
    expect([claude.turn('t').phase, claude.core.refused]).toEqual([{ name: 'running', prompt: 'r' }, []]);
  });
});

describe('behind the end of a turn', () => {
  const said = () => {
    claude.working();
    claude.say('one');
    claude.stop('one');
  };

  test.each<[string, () => void]>([
    ['text', () => claude.say('two', { message_id: 'n' })],
    ['a tool', () => uses('u1')],
  ])('%s goes on for the same chat', (_, happens) => {
    said();
    happens();
    expect(claude.adopted).toMatchObject([{ origin: 'continued', ingress: 'openai' }]);
    expect(claude.run.turns.sentOn).toBe(true);
  });

  test('each time that Claude is sent on is a turn', () => {
    said();
    for (const id of ['two', 'three']) {
      claude.say(id, { message_id: id });
      claude.stop(id);
      claude.clock.advance(2_000);
    }
    expect(endings()).toEqual([
      ['completed', 'two'],
      ['completed', 'three'],
    ]);
  });

  test('a tool of a prompt that nobody told of begins a turn, its end alone does not', () => {
    claude.hook('PostToolUse', { ...bash, tool_use_id: 'u1', tool_response: '', prompt_id: 'y' });
    expect(claude.adopted).toEqual([]);
    uses('u2', { prompt_id: 'z' });
    expect(endings()).toEqual([['running', '']]);
  });

  test('late text is its own while the next one runs', () => {
    said();
    claude.working('next', 'and then?', 'q');
    claude.say('two', { prompt_id: 'p', message_id: 'n' });
    expect([outcome(claude.turn('t')), claude.adopted]).toEqual([['completed', 'one\n\ntwo'], []]);
  });

  test('a late failure is not the next one’s', () => {
    said();
    claude.working('next', 'and then?', 'q');
    claude.hook('StopFailure', { error: 'server_error', prompt_id: 'p' });
    expect([claude.turn('next').phase.name, claude.adopted]).toEqual(['running', []]);
  });

  test('a Stop of which nothing was told before tells a turn', () => {
    claude.stop('hello', { prompt_id: 'z' });
    claude.clock.advance(300);
    expect(endings()).toEqual([['completed', 'hello']]);
  });

  test.each<[string, () => void]>([
    ['a Stop', () => claude.stop('hello', { prompt_id: undefined })],
    ['a failure', () => claude.hook('StopFailure', { error: 'server_error', prompt_id: undefined })],
    ['a tool', () => uses('u1', { prompt_id: undefined })],
  ])('%s without a prompt id is of no turn when none runs', (_, happens) => {
    happens();
    expect(claude.session.turns).toEqual([]);
  });

  test('the failure of a prompt that nobody told of is told, and what waits goes on', () => {
    claude.working();
    claude.core.hand('next', 'and then?');
    claude.core.happened([{ type: 'turn.requeued', turn: 'next' }], 'k');
    claude.hook('StopFailure', { error: 'server_error', prompt_id: 'z' });
    expect(endings()).toEqual([['failed', '']]);
    expect(claude.turn('next').phase.name).toBe('delivering');
  });
});

describe('a turn that rests', () => {
  test('goes on with a tool, and has its time once more when it rests again', () => {
    claude.working();
    claude.stop('lost');
    claude.clock.advance(200);
    uses('u1');
    expect([claude.run.turns.resting, claude.run.turns.sentOn]).toEqual([false, true]);
    claude.stop('lost, too');
    claude.clock.advance(200);
    expect(claude.run.turns.resting).toBe(true);
    claude.clock.advance(2_000);
    expect(outcome(claude.turn('t'))).toEqual(['completed', 'lost, too']);
  });

  test('is not over with its last text where Claude is known to be sent on', () => {
    claude.working('before', 'go');
    claude.say('one');
    claude.stop('one');
    claude.say('two', { message_id: 'n' });
    claude.stop('two');
    claude.clock.advance(2_000);
    claude.working('t', 'hi', 'q');
    claude.stop('three');
    claude.say('three', { message_id: 'o' });
    expect(claude.run.turns.resting).toBe(true);
  });

  test('is complete when nothing runs any more, whatever the screen says', () => {
    claude.working();
    claude.stop('lost');
    claude.run.turnIdle(true);
    expect(outcome(claude.turn('t'))).toEqual(['completed', 'lost']);
  });

  test('knows a hook that came twice', () => {
    claude.working();
    claude.stop('one two');
    claude.say('one', { final: false });
    const before = claude.core.events.length;
    claude.say('one', { final: false });
    expect(claude.core.events.slice(before)).toEqual([]);
  });

  test('has one end for one last message', () => {
    claude.working();
    claude.stop('lost');
    expect(claude.events('Stop', { last_assistant_message: 'lost' })).toEqual([]);
  });
});

describe('the screen shows that nothing runs', () => {
  test.each<[string, () => void, object]>([
    ['Esc in the terminal', () => claude.run.turnIdle(true), { outcome: 'cancelled' }],
    ['nothing was heard', () => claude.run.turnIdle(false), { outcome: 'failed', code: 'silent' }],
  ])('%s', (_, happens, phase) => {
    claude.working();
    happens();
    expect(claude.turn('t').phase).toMatchObject(phase);
  });

  test('somebody interrupted it', () => {
    claude.working();
    cancels('t');
    claude.run.turnIdle(false);
    expect(claude.turn('t').phase).toMatchObject({ outcome: 'cancelled', detail: 'alice' });
  });

  test('Claude Code says that it waits, which is news only of a turn', () => {
    const waits = () => claude.hook('Notification', { notification_type: 'idle_prompt' });
    expect(waits()).toEqual([]);
    claude.working();
    expect(waits()).toMatchObject([{ type: 'turn.idle' }]);
  });
});

describe('an empty answer', () => {
  test('is known by the last of several messages', () => {
    claude.working('before', 'go', 'p1');
    claude.say('red');
    claude.say('blue\n', { message_id: 'n' });
    claude.stop('blue');
    claude.working('t', 'hi', 'q');
    claude.stop('blue');
    claude.clock.advance(300);
    expect(claude.turn('t').phase).toMatchObject({ code: 'empty_answer' });
  });

  test('is known by what was said last', () => {
    for (const [at, word] of ['red', 'blue'].entries()) {
      claude.working(word, word, `p${at}`);
      claude.say(word, { message_id: word });
      claude.stop(word);
    }
    for (const [turn, prompt] of [
      ['t', 'q'],
      ['u', 'r'],
    ] as const) {
      claude.working(turn, turn, prompt);
      claude.stop('blue');
      claude.clock.advance(300);
      expect(claude.turn(turn).phase).toMatchObject({ code: 'empty_answer' });
    }
  });
});

describe('tasks', () => {
  const four = () => {
    for (let each = 0; each < 4; each += 1) claude.hook('PreCompact');
  };

  test('begin with their first hook or with a list, and belong to the turn that began them', () => {
    claude.working();
    begins('a1');
    claude.stop('', {
      background_tasks: [
        { id: 'a1', type: 'subagent' },
        { id: 'b1', type: 'shell' },
        { id: 'a0', type: 'subagent' },
        { id: 'm1', type: 'MCP task' },
      ],
    });
    // By an agent, while no turn runs.
    begins('a2');
    expect(claude.session.tasks.map(({ id, turn, kind }) => [id, turn, kind])).toEqual([
      ['a1', 't', 'agent'],
      ['b1', 't', 'shell'],
      ['a0', 't', 'agent'],
      ['m1', 't', 'call'],
      ['a2', 't', 'agent'],
    ]);
  });

  test('have the title that came last, from a tool or a list', () => {
    const runs = (description: string) => {
      const agent = { tool_name: 'Agent', tool_input: { description }, tool_use_id: 'u1' };
      return claude.events('PostToolUse', { ...agent, tool_response: { isAsync: true, agentId: 'a1' } });
    };
    const begun = (events: readonly SessionEvent[]) =>
      events.filter(({ type }) => type === 'task.began').length;
    begins('a1');
    begins('a2');
    expect([begun(runs('look')), begun(runs('look')), begun(runs('seek'))]).toEqual([1, 0, 1]);
    expect(claude.events('SubagentStart', { agent_id: 'a1' })).toEqual([]);
    claude.stop('', { background_tasks: [{ id: 'b1', type: 'shell', description: 'wait' }] });
    expect(claude.session.tasks.map(({ id, title }) => [id, title])).toEqual([
      ['a1', 'seek'],
      ['a2', undefined],
      ['b1', 'wait'],
    ]);
  });

  test.each([
    [2, 'a1 running'],
    [3, 'a1 missed'],
  ])(
    'are missing from a list only when it is newer by a few hooks: with %i between them',
    (between, state) => {
      begins('a1');
      for (let each = 0; each < between; each += 1) claude.hook('PreCompact');
      claude.stop('');
      expect(tasks()).toEqual([state]);
    },
  );

  test('of nobody are none', () => {
    for (const event of ['SubagentStart', 'SubagentStop']) expect(claude.hook(event)).toEqual([]);
    claude.hook('SubagentStop', { agent_id: 'a1' });
    expect(tasks()).toEqual([]);
  });

  test('that go on in a later turn belong to the first', () => {
    claude.working();
    begins('a1');
    claude.hook('SubagentStop', { agent_id: 'a1' });
    claude.stop('');
    claude.working('next', 'again', 'q');
    begins('a1');
    expect(claude.session.tasks).toMatchObject([{ id: 'a1', turn: 't', state: 'running' }]);
  });

  test('begin and end once', () => {
    claude.working();
    for (const event of ['SubagentStart', 'SubagentStop']) {
      expect(claude.events(event, { agent_id: 'a1' })).toHaveLength(1);
      expect(claude.events(event, { agent_id: 'a1' })).toEqual([]);
    }
  });

  test('are not known to be over without a list', () => {
    claude.working();
    begins('a1');
    four();
    claude.hook('Stop', { last_assistant_message: '' });
    expect(tasks()).toEqual(['a1 running']);
  });

  test('that are missing are forgotten when they are missing once more', () => {
    claude.working();
    begins('a1');
    begins('a2');
    four();
    claude.hook('SubagentStop', { agent_id: 'a2', background_tasks: [{ id: 'a2', type: 'subagent' }] });
    expect(tasks()).toEqual(['a1 missed', 'a2 ended']);
    claude.stop('', { background_tasks: [{ id: 'a2', type: 'subagent' }] });
    expect(tasks()).toEqual(['a2 ended']);
  });

  test.each([
    ['local_bash', []],
    ['mcp_task', []],
    // Its end is told by a turn of its own.
    ['local_agent', ['b1 running']],
  ])('%s: is over when Claude has stopped it', (task_type, left) => {
    claude.working();
    ran('Bash', { backgroundTaskId: 'b1' });
    ran('TaskStop', { message: 'Successfully stopped task: b1', task_id: 'b1', task_type });
    expect(tasks()).toEqual(left);
  });

  test('are not over because another tool says something of the kind', () => {
    claude.working();
    ran('Bash', { backgroundTaskId: 'b1' });
    ran('TaskOutput', { task_id: 'b1', task_type: 'local_bash' });
    expect(tasks()).toEqual(['b1 running']);
  });

  test('are over when Claude has stopped them, also when a list came first', () => {
    claude.working();
    ran('Bash', { backgroundTaskId: 'b1' });
    four();
    claude.hook('SubagentStop', { agent_id: 'a1', background_tasks: [] });
    expect(tasks()).toEqual(['b1 missed']);
    ran('TaskStop', { task_id: 'b1', task_type: 'local_bash' });
    expect(tasks()).toEqual([]);
  });

  test('of a team: a list names teammates, of whose agents it says nothing until they stop', () => {
    const background_tasks = [{ id: 't1', type: 'teammate' }];
    claude.working();
    begins('a1');
    begins('a2');
    ran('Bash', { backgroundTaskId: 'b1' });
    claude.hook('SubagentStop', { agent_id: 'a2' });
    four();
    claude.stop('', { background_tasks });
    expect(tasks()).toEqual(['a1 running', 'a2 missed', 'b1 missed']);
  });

  test('are over with their own end, though its list still has them', () => {
    claude.hook('SubagentStop', { agent_id: 'a1', background_tasks: [{ id: 'a1', type: 'subagent' }] });
    expect(tasks()).toEqual(['a1 ended']);
  });

  test('do nothing any more when they have ended', () => {
    begins('a1');
    uses('u1', { agent_id: 'a1' });
    expect(claude.session.tasks).toMatchObject([{ doing: 'Bash' }]);
    claude.hook('SubagentStop', { agent_id: 'a1' });
    expect(claude.session.tasks[0]).not.toHaveProperty('doing');
  });

  test('that have ended do not go on with the end of a tool, which is late', () => {
    begins('a1');
    uses('u1', { agent_id: 'a1' });
    claude.hook('SubagentStop', { agent_id: 'a1' });
    claude.hook('PostToolUse', { ...bash, tool_use_id: 'u1', tool_response: '', agent_id: 'a1' });
    expect(tasks()).toEqual(['a1 ended']);
    uses('u2', { agent_id: 'a1' });
    expect(tasks()).toEqual(['a1 running']);
  });

  test('keep what they do when their beginning is told once more', () => {
    begins('a1');
    uses('u1', { agent_id: 'a1' });
    const agent = { tool_name: 'Agent', tool_input: {}, tool_use_id: 'u2' };
    claude.hook('PostToolUse', { ...agent, tool_response: { isAsync: true, agentId: 'a1' } });
    expect(claude.session.tasks).toMatchObject([{ title: 'Agent', doing: 'Bash' }]);
  });

  test.each([
    ['2 background agents were stopped by the user.', []],
    ['Background agent "look" was stopped by the user.', []],
    [told('a1'), ['a2 running']],
    ['<task-notification>\n<task-id>a1</task-id>\n</task-notification>', ['a2 running']],
    ['I see: 2 background agents were stopped by the user.', ['a1 running', 'a2 running']],
    [`I see:\n${told('a1')}`, ['a1 running', 'a2 running']],
  ])('%j', (prompt, left) => {
    begins('a1');
    begins('a2');
    claude.submit(prompt, 'q');
    expect(tasks()).toEqual(left);
  });

  test('keep the turn that began them, and so do calls', () => {
    claude.working('one', 'go', 'p1');
    begins('a1');
    claude.stop('', { background_tasks: [{ id: 'a1', type: 'subagent' }] });
    claude.working('two', 'go', 'p2');
    claude.core.happened([{ type: 'tool.called', call: 'c1', tool: 'exec', args: {}, turn: 'two' }], 'k');
    claude.stop('', { background_tasks: [{ id: 'a1', type: 'subagent' }] });
    for (let n = 0; n < keptTurns + 2; n += 1) {
      claude.working(`later${n}`, 'go', `q${n}`);
      claude.stop('', { background_tasks: [{ id: 'a1', type: 'subagent' }] });
    }
    expect([claude.turn('one').phase.name, claude.turn('two').phase.name]).toEqual(['settled', 'settled']);
  });
});

describe('an agent', () => {
  test('says nothing to the chat, and its Stop ends no turn', () => {
    claude.working();
    expect(claude.say('mine', { agent_id: 'a1' })).toEqual([]);
    expect(claude.hook('Stop', { agent_id: 'a1', last_assistant_message: 'mine' })).toEqual([]);
    expect(claude.run.turns.busy).toBe(true);
  });

  test('is in a mode of its own', () => {
    claude.working();
    const inMode = { permission_mode: 'acceptEdits' };
    const modes = () => claude.reports.filter(({ type }) => type === 'agent.mode').length;
    uses('u1', { ...inMode, agent_id: 'a1' });
    expect(modes()).toBe(0);
    uses('u2', inMode);
    expect(modes()).toBe(1);
  });
});

describe('a question', () => {
  test.each<[string, () => void]>([
    ['its tool ran', () => claude.hook('PostToolUse', { ...bash, tool_use_id: 'u1', tool_response: '' })],
    ['its tool failed', () => claude.hook('PostToolUseFailure', { ...bash, tool_use_id: 'u1', error: '' })],
    [
      'the tools of its answer are over',
      () => claude.hook('PostToolBatch', { tool_calls: [{ tool_use_id: 'u1' }] }),
    ],
    ['its turn ended', () => claude.stop('')],
    ['its turn failed', () => claude.hook('StopFailure', { error: 'server_error' })],
    ['its turn was interrupted', () => claude.run.turnIdle(true)],
  ])('is over, and its tool, too: %s', (_, happens) => {
    claude.working();
    asks('u1');
    expect([claude.run.desk.open, claude.session.asks[0]?.toolUse]).toEqual([1, 'u1']);
    happens();
    expect([claude.run.desk.open, claude.session.asks[0]?.state.name]).toEqual([0, 'settled']);
    claude.hook('PermissionRequest', bash);
    expect(claude.session.asks).toHaveLength(2);
    expect(claude.session.asks[1]).not.toHaveProperty('toolUse');
  });

  test('is about the call of the agent that asks', () => {
    claude.working();
    for (const id of ['a1', 'a2']) uses(`u${id}`, { agent_id: id });
    claude.hook('PermissionRequest', { ...bash, agent_id: 'a1' });
    expect(claude.session.asks.map(({ toolUse }) => toolUse)).toEqual(['ua1']);
  });

  test('is told with a hook that comes twice, which says nothing new', () => {
    claude.working();
    const activities = () => uses('u1').filter(({ type }) => type === 'tool.activity').length;
    expect([activities(), activities()]).toEqual([1, 0]);
  });
});
