// What the hooks of Claude Code mean, through the reader of hooks and the core.
import { beforeEach, describe, expect, test } from 'vitest';
import { HookedRun, outcome } from '../hooked-run.ts';

let claude: HookedRun;
beforeEach(() => {
  claude = new HookedRun();
});

const told = (task: string, more = '') =>
  `<task-notification>\n<task-id>${task}</task-id>\n<tool-use-id>toolu_${task}</tool-use-id>\n<status>completed</status>\n${more}</task-notification>`;
const ran = (tool_name: string, tool_response: unknown, more = {}) =>
  claude.hook('PostToolUse', { tool_name, tool_input: {}, tool_response, tool_use_id: 'toolu_1', ...more });

describe('a prompt of ours', () => {
  test('is taken when UserPromptSubmit says the same text', () => {
    claude.expect('t', '[alice] hi');
    expect(claude.submit('[alice] hi')).toEqual([{ type: 'prompt.taken', turn: 't', prompt: 'p' }]);
    expect([claude.run.fate, claude.run.turns.busy]).toEqual(['ours', true]);
  });

  test('is garbled when other keys are in it, and still expected then', async () => {
    claude.expect('t', '[alice] good morning');
    expect(claude.submit('draft [alice] good morning')).toEqual([]);
    await new Promise(setImmediate);
    expect([claude.run.fate, claude.host.answers.at(-1)?.[1]]).toMatchObject([
      'garbled',
      { decision: 'block' },
    ]);
    claude.submit('[alice] good morning');
    expect(claude.run.fate).toBe('ours');
  });

  test('is taken without its hook when Claude works on an unknown prompt', () => {
    claude.expect('t', '[alice] hi');
    expect(claude.say('hello')[0]).toEqual({ type: 'prompt.taken', turn: 't', prompt: 'p' });
  });

  test('that nobody waits for any more is a turn of nobody', () => {
    claude.expect('t', 'hi');
    claude.core.dispatch({ type: 'turn.expire', turn: 't', code: 'delivery_failed' });
    claude.submit('hi');
    claude.say('hello');
    claude.stop('hello');
    expect(outcome(claude.turn('t'))).toEqual(['expired', '']);
    expect(claude.adopted.map(outcome)).toEqual([['completed', 'hello']]);
  });

  test('typed between a Stop and the end of a task runs behind what Claude makes of that, as itself', () => {
    claude.working('before', 'go');
    claude.stop('');
    claude.expect('t', 'what now?');
    claude.submit('what now?');
    expect(claude.turn('t').phase).toMatchObject({ name: 'joining', queued: true });
    claude.submit(told('b1'), 'q');
    claude.say('the task is done', { message_id: 'n' });
    claude.stop('the task is done');
    claude.say('nothing', { prompt_id: 'r', message_id: 'o' });
    claude.stop('nothing', { prompt_id: 'r' });
    expect(outcome(claude.turn('t'))).toEqual(['completed', 'nothing']);
    expect(claude.adopted.map(outcome)).toEqual([['completed', 'the task is done']]);
  });

  test('that is sent while a turn of its own has just begun ends that one, which nothing tells, and runs as itself', () => {
    claude.working('before', 'go');
    claude.stop('');
    claude.submit(told('b1'), 'q');
    claude.say('I beg', { message_id: 'n', final: false });
    claude.expect('t', 'what now?');
    claude.submit('what now?');
    claude.say('nothing', { prompt_id: 'r', message_id: 'o' });
    claude.stop('nothing', { prompt_id: 'r' });
    expect(outcome(claude.turn('t'))).toEqual(['completed', 'nothing']);
    expect(claude.adopted.map(outcome)).toEqual([['cancelled', 'I beg']]);
  });

  test('from the queue of Claude Code that fails at once lets the next one go', () => {
    claude.working('before', 'go');
    claude.stop('');
    claude.expect('t', 'what now?');
    claude.submit('what now?');
    claude.core.submit('next', 'and then?');
    expect(claude.turn('next').phase.name).toBe('queued');
    claude.hook('StopFailure', { prompt_id: 'q', error: 'server_error', last_assistant_message: 'no' });
    expect(outcome(claude.turn('t'))).toEqual(['failed', '']);
    expect(claude.turn('next').phase.name).toBe('delivering');
  });

  test('that Claude Code took into the turn before is answered there', () => {
    claude.submit(told('b1'), 'q');
    claude.expect('t', 'what now?');
    claude.submit('what now?', 'q');
    claude.say('both at once');
    claude.stop('both at once');
    claude.run.turnIdle(false);
    const [adopted] = claude.adopted;
    expect(claude.turn('t').phase).toMatchObject({
      name: 'settled',
      outcome: 'completed',
      into: adopted?.id,
    });
  });
});

describe('a prompt by channel', () => {
  const wrapped = '<channel source="synthesis">hi</channel>';

  test.each<[road: string, entered: () => void]>([
    ['its word is first', () => claude.run.taken('next')],
    ['its hook is first', () => {}],
  ])('that comes while a turn ends runs under an id that nobody tells: %s', (_road, entered) => {
    claude.working();
    claude.say('hello');
    claude.stop('hello');
    claude.expect('next', 'hi', 'channel');
    entered();
    // Under the id of the turn that is over.
    claude.submit(wrapped);
    expect(claude.run.fate).toBe('ours');
    claude.say('again', { prompt_id: 'q', message_id: 'n' });
    claude.stop('again', { prompt_id: 'q' });
    expect(outcome(claude.turn('next'))).toEqual(['completed', 'again']);
  });

  test('is ours although its hook is faster than the word that it was written, which then says nothing new', () => {
    claude.expect('t', 'hi', 'channel');
    expect(claude.submit(wrapped)).toEqual([{ type: 'prompt.taken', turn: 't', prompt: 'p' }]);
    claude.run.taken('t');
    claude.say('hello');
    claude.stop('hello');
    claude.run.taken('t');
    expect([outcome(claude.turn('t')), claude.run.turns.busy]).toEqual([['completed', 'hello'], false]);
  });

  test('is behind what Claude Code began meanwhile, though it was written first', () => {
    claude.expect('t', 'hi', 'channel');
    claude.run.taken('t');
    claude.submit(told('b1'), 'q');
    claude.say('done');
    claude.stop('done');
    claude.submit(wrapped, 'r');
    claude.say('hello', { message_id: 'n' });
    claude.stop('hello');
    expect(outcome(claude.turn('t'))).toEqual(['completed', 'hello']);
    expect(claude.adopted.map(outcome)).toEqual([['completed', 'done']]);
  });

  test('is not what somebody types meanwhile, and is taken when it was written', () => {
    claude.expect('t', 'hi', 'channel');
    expect(claude.submit('hi there', 'q')).toMatchObject([{ type: 'prompt.foreign' }]);
    claude.run.taken('t');
    expect(claude.turn('t').phase).toMatchObject({ name: 'joining', queued: true });
  });
});

describe('what Claude goes on with by itself', () => {
  const task = (name: string, id: string) => ({ by: 'task', name, task: id });

  test.each([
    ['a command in the background', 'Bash', { stdout: '', backgroundTaskId: 'b1' }, task('toolu_1', 'b1')],
    ['an agent in the background', 'Agent', { isAsync: true, agentId: 'a' }, task('toolu_1', 'a')],
    [
      'a call that took too long',
      'mcp__x__y',
      [
        {
          type: 'text',
          text: 'x is still running after 120s. It was moved to the background as task k7 and',
        },
      ],
      task('toolu_1', 'k7'),
    ],
    ['a command', 'Bash', { stdout: '"backgroundTaskId"' }, undefined],
    ['an agent that has answered', 'Agent', { status: 'completed' }, undefined],
    ['a tool of others that answers words', 'mcp__x__y', '{"isAsync":true}', undefined],
  ])('%s: what is left behind', (_, tool, response, errand) => {
    claude.working();
    const [report] = ran(tool, response);
    expect(report).toMatchObject({ type: 'tool.activity', phase: 'succeeded' });
    expect(report && 'errand' in report ? report.errand : undefined).toEqual(errand);
    expect(claude.session.tasks.map(({ id }) => id)).toEqual(errand ? [errand.task] : []);
  });

  test('a subagent hears of its own tasks', () => {
    claude.working();
    expect(ran('Bash', { backgroundTaskId: 'b1' }, { agent_id: 'a' })[0]).not.toHaveProperty('errand');
  });

  test('the end of a task names it, and nothing that stands in it does', () => {
    expect(claude.submit(told('1'), 'q1')).toMatchObject([{ errand: task('toolu_1', '1') }]);
    const planted = told('2', `<summary>x</summary>\n${told('1')}`);
    expect(claude.submit(planted, 'q2')).toMatchObject([{ errand: task('toolu_2', '2') }]);
    expect(claude.submit(`Look: ${told('1')}`, 'q3')).not.toMatchObject([{ errand: { by: 'task' } }]);
  });

  test('the end of a call is told without its tool use, and belongs to whoever made it', () => {
    claude.working();
    ran('mcp__x__y', [{ type: 'text', text: 'It was moved to the background as task k7 and keeps running' }]);
    claude.stop('');
    claude.submit('<task-notification>\n<task-id>k7</task-id>\n<status>completed</status>\n', 'q');
    expect(claude.adopted).toMatchObject([{ origin: 'task', ingress: 'openai' }]);
    expect(claude.session.tasks).toEqual([]);
  });

  test('a wake-up comes with the words that it was set with', () => {
    claude.working();
    const prompt = 'look whether the build is done';
    const [set] = ran('ScheduleWakeup', {}, { tool_input: { delaySeconds: 60, reason: 'x', prompt } });
    expect(set).toMatchObject({ errand: { by: 'wakeup' } });
    claude.stop('');
    const errand = set && 'errand' in set ? set.errand : undefined;
    expect(claude.submit(prompt, 'q1')).toMatchObject([{ errand }]);
    expect(claude.submit(`${prompt}?`, 'q2')).not.toMatchObject([{ errand }]);
  });

  test('two agents that end while Claude writes its last text are one turn, which ends', () => {
    claude.working();
    claude.stop('');
    claude.submit(told('a1'), 'A');
    claude.submit(told('a2'), 'B');
    claude.say('both are done');
    claude.stop('both are done');
    expect(claude.adopted.map(outcome)).toEqual([['completed', 'both are done']]);
    expect([claude.run.turns.busy, claude.core.refused]).toEqual([false, []]);
  });

  test('the end of an agent while Claude works is part of that turn', () => {
    claude.working();
    claude.submit(told('a1'));
    claude.say('it is done');
    claude.stop('it is done');
    expect([outcome(claude.turn('t')), claude.adopted]).toEqual([['completed', 'it is done'], []]);
  });

  test('while a message is on its way is told, and the message is still handed over', () => {
    claude.core.hand('t', 'hi');
    claude.submit(told('a1'), 'q');
    claude.say('the agent is done');
    claude.stop('the agent is done');
    expect(claude.adopted.map(outcome)).toEqual([['completed', 'the agent is done']]);
    expect(claude.turn('t').phase.name).toBe('delivering');
  });
});

describe('a prompt of somebody else', () => {
  test('gets a turn of its own', () => {
    claude.submit('by hand', 'q');
    expect(claude.adopted).toMatchObject([{ text: 'by hand', phase: { name: 'running', prompt: 'q' } }]);
  });

  test('entered while a turn runs belongs to it until Claude runs it later, without a submit', () => {
    claude.working();
    claude.submit('by hand');
    expect([claude.run.fate, claude.adopted]).toEqual(['foreign', []]);
    claude.stop('');
    claude.say('more', { prompt_id: 'q' });
    expect(claude.adopted).toMatchObject([{ text: 'by hand', phase: { prompt: 'q' } }]);
  });

  test('that is faster than our Enter ends our expectation', () => {
    claude.expect('t', '[alice] hi');
    claude.submit('by hand', 'q');
    expect([claude.run.fate, claude.run.expected]).toEqual(['foreign', undefined]);
    claude.stop('');
    expect([claude.adopted.map(outcome), claude.turn('t').phase.name]).toEqual([
      [['completed', '']],
      'delivering',
    ]);
  });
});

describe('the end of a turn', () => {
  const batch = (delta: string, index: number, final = false) => claude.say(delta, { index, final });

  test('comes at once when every batch of the last message is there', () => {
    claude.working();
    batch('one\n', 0);
    batch('two', 1, true);
    claude.stop('one\ntwo');
    expect(outcome(claude.turn('t'))).toEqual(['completed', 'one\ntwo']);
  });

  test('waits for a batch that travels slower than Stop, whatever the order', () => {
    claude.working();
    batch('two', 1, true);
    claude.stop('one\ntwo');
    expect(claude.run.turns.resting).toBe(true);
    batch('one\n', 0);
    expect(outcome(claude.turn('t'))).toEqual(['completed', 'one\ntwo']);
  });

  test('comes when the batch never does, with what it would have said', () => {
    claude.working();
    claude.stop('lost');
    claude.clock.advance(200);
    expect(claude.run.turns.resting).toBe(true);
    claude.clock.advance(100);
    expect(outcome(claude.turn('t'))).toEqual(['completed', 'lost']);
  });

  test('a batch after the end does not start a turn', () => {
    claude.working();
    claude.stop('late words');
    claude.clock.advance(300);
    batch('late words', 0, true);
    expect([claude.adopted, outcome(claude.turn('t'))]).toEqual([[], ['completed', 'late words']]);
  });

  test('is no end of what Claude says behind it, though the answer before contains that', () => {
    claude.working();
    claude.say('Is it done? It is done.');
    claude.stop('Is it done? It is done.');
    claude.say('done', { message_id: 'n' });
    claude.stop('done');
    claude.clock.advance(2_000);
    expect(claude.adopted.map(outcome)).toEqual([['completed', 'done']]);
  });

  test('without any text is not that of the turn before', () => {
    claude.working('before', 'what is it?');
    claude.say('blue');
    claude.stop('blue');
    claude.working('t', 'may I delete the backup?', 'q');
    claude.stop('blue');
    claude.clock.advance(300);
    expect(claude.turn('t').phase).toMatchObject({ outcome: 'completed', code: 'empty_answer' });
    expect(String(claude.turn('t').answer.text)).toBe('');
  });

  test('is waited for when a Stop hook of the user’s has sent Claude on before', () => {
    const turn = (id: string, prompt: string) => {
      claude.working(id, id, prompt);
      claude.say(`${id} one`, { message_id: `${id}1` });
      claude.stop(`${id} one`);
      claude.clock.advance(400);
      claude.hook('PreToolUse', { tool_name: 'Bash', tool_input: {}, tool_use_id: `u${id}` });
      claude.say(`${id} two`, { message_id: `${id}2` });
      claude.stop(`${id} two`, { stop_hook_active: true });
      claude.clock.advance(2_000);
    };
    turn('first', 'p');
    // Nobody knew that there is such a hook: what Claude says then is a message of its own, for the same chat.
    expect(outcome(claude.turn('first'))).toEqual(['completed', 'first one']);
    expect(claude.adopted.map((each) => [each.origin, each.ingress, ...outcome(each)])).toEqual([
      ['continued', 'openai', 'completed', 'first two'],
    ]);
    turn('second', 'q');
    expect(outcome(claude.turn('second'))).toEqual(['completed', 'second one\n\nsecond two']);
    expect(claude.adopted).toHaveLength(1);
  });

  test('after Esc is told by nobody, and what comes late starts nothing', () => {
    claude.working();
    claude.say('so', { final: false });
    claude.run.turnIdle(true);
    claude.say('late', { index: 1 });
    expect([claude.run.turns.busy, claude.adopted]).toEqual([false, []]);
  });

  test.each([
    ['rate_limit', 'rate_limited'],
    ['server_error', 'provider_error'],
    ['overloaded', 'provider_error'],
    ['authentication_failed', 'auth_failed'],
    ['model_not_found', 'model_not_found'],
    ['something_new', 'provider_error'],
  ])('StopFailure %s is %s, with the words of Claude Code', (error, code) => {
    claude.working();
    claude.hook('StopFailure', { error, last_assistant_message: 'API Error: no' });
    expect(claude.turn('t').phase).toMatchObject({ outcome: 'failed', code, detail: 'API Error: no' });
  });

  test('a prompt that is too long is named', () => {
    claude.working();
    const details = { error: 'invalid_request', error_details: 'prompt is too long: 9 > 8' };
    expect(claude.hook('StopFailure', details)).toMatchObject([{ code: 'context_too_long' }]);
  });

  test('the failure of a helper agent is not the turn’s', () => {
    claude.working();
    claude.hook('StopFailure', { error: 'invalid_request', agent_id: 'a1' });
    expect(claude.run.turns.busy).toBe(true);
  });

  test('an authentication failure says so when nobody is signed in', () => {
    claude.run.signedOut = true;
    claude.working();
    const failed = { error: 'authentication_failed', last_assistant_message: '401' };
    expect(claude.hook('StopFailure', failed)).toMatchObject([
      { detail: expect.stringContaining('not signed in') },
    ]);
  });
});

describe('an agent', () => {
  const bash = { tool_name: 'Bash', tool_input: { command: 'rm x' } };
  const begin = (id: string) => {
    ran('Agent', { isAsync: true, agentId: id }, { tool_input: { description: `job ${id}` } });
    claude.hook('SubagentStart', { agent_id: id, agent_type: 'general-purpose' });
  };
  const ask = (id: string) => {
    claude.hook('PreToolUse', { ...bash, agent_id: id, tool_use_id: `u${id}` });
    claude.hook('PermissionRequest', { ...bash, agent_id: id });
  };

  test('asks, and its question outlives the turn that began it', () => {
    claude.working();
    begin('a1');
    ask('a1');
    claude.stop('started', { background_tasks: [{ id: 'a1', type: 'subagent', description: 'job a1' }] });
    claude.clock.advance(60_000);
    expect(claude.session.asks).toMatchObject([
      { agent: { id: 'a1', title: 'job a1' }, turn: 't', state: { name: 'asked' } },
    ]);
    claude.hook('PostToolUse', { ...bash, agent_id: 'a1', tool_use_id: 'ua1', tool_response: '' });
    expect(claude.session.asks).toMatchObject([{ state: { name: 'settled', outcome: 'superseded' } }]);
  });

  test('asks what another one asks, too: each has its own call', () => {
    claude.working();
    begin('a1');
    begin('a2');
    ask('a1');
    ask('a2');
    expect(claude.session.asks.map(({ toolUse, agent }) => [toolUse, agent?.id])).toEqual([
      ['ua1', 'a1'],
      ['ua2', 'a2'],
    ]);
    claude.hook('SubagentStop', { agent_id: 'a1' });
    expect(claude.session.asks.map(({ state }) => state.name)).toEqual(['settled', 'asked']);
  });

  test('lets a message in while it works, whatever the title says', () => {
    claude.working();
    begin('a1');
    claude.stop('');
    claude.terminal.rows = () => ['─'.repeat(20), '❯ ', '─'.repeat(20)];
    claude.terminal.draw('◐ Claude Code');
    expect([claude.run.idle, claude.run.turns.agents]).toEqual([true, 1]);
    claude.hook('SubagentStop', { agent_id: 'a1' });
    expect(claude.run.idle).toBe(false);
  });

  test('is not what a turn does', () => {
    claude.working();
    begin('a1');
    claude.hook('PreToolUse', { ...bash, agent_id: 'a1', tool_use_id: 'ua1' });
    const [activity] = claude.core.events.filter((event) => event.type === 'activity' && event.agent);
    expect(activity).not.toHaveProperty('turn');
    expect(claude.session.tasks).toMatchObject([{ id: 'a1', title: 'job a1', doing: 'Bash' }]);
  });

  test('that was stopped by hand is not listed any more, and is not at work', () => {
    claude.working();
    begin('a1');
    for (let each = 0; each < 4; each += 1) claude.say('.', { index: each, final: false });
    claude.stop('....', { background_tasks: [] });
    expect(claude.run.turns.agents).toBe(0);
  });
});

test('tools are told with their input, and with a bounded output', () => {
  claude.working();
  const tool = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'u' };
  expect(claude.hook('PreToolUse', tool).slice(0, 1)).toEqual([
    {
      type: 'tool.activity',
      tool_use: 'u',
      tool: 'Bash',
      phase: 'started',
      prompt: 'p',
      input: { command: 'ls' },
    },
  ]);
  const [report] = claude.hook('PostToolUse', { ...tool, tool_response: 'x'.repeat(10_000) });
  expect(report).toMatchObject({ phase: 'succeeded', output: `${'x'.repeat(4000)}…` });
  expect(report).not.toHaveProperty('input');
  expect(claude.hook('PostToolUse', { ...tool, tool_response: { stdout: 'a' } })).toMatchObject([
    { output: '{"stdout":"a"}' },
  ]);
  for (const event of ['PostToolUse', 'PostToolUseFailure'])
    expect(claude.hook(event, { ...tool, tool_use_id: undefined, tool_response: '', error: '' })).toEqual([]);
  expect(claude.hook('PostToolUseFailure', { ...tool, error: 'no' })).toMatchObject([
    { phase: 'failed', output: 'no' },
  ]);
});
