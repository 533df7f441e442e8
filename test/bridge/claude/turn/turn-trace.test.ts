import { beforeEach, describe, expect, test } from 'vitest';
import { HookEvent } from '../../../../src/bridge/claude/hooks/hook-schema.ts';
import { TurnTrace } from '../../../../src/bridge/claude/turn/turn-trace.ts';

let trace: TurnTrace;
let turns: number;
beforeEach(() => {
  turns = 0;
  trace = new TurnTrace(() => {
    turns += 1;
    return `foreign${turns}`;
  });
});

const hook = (name: string, fields: Record<string, unknown> = {}) =>
  trace.handle(HookEvent.parse({ hook_event_name: name, session_id: 's', prompt_id: 'p', ...fields }));
const reports = (name: string, fields?: Record<string, unknown>) => hook(name, fields).reports;
const submit = (prompt: string, prompt_id = 'p') => hook('UserPromptSubmit', { prompt, prompt_id });
const delta = (text: string, index: number, final = false, more: Record<string, unknown> = {}) =>
  reports('MessageDisplay', { message_id: 'm', index, delta: text, final, ...more });

function running(): void {
  trace.expect('t', '[alice] hi');
  submit('[alice] hi');
}

describe('a prompt of ours', () => {
  test('is taken when UserPromptSubmit says the same text', () => {
    trace.expect('t', '[alice] hi');
    expect(submit('[alice] hi')).toEqual({
      reports: [{ type: 'prompt.taken', turn: 't', prompt: 'p' }],
      fate: 'ours',
    });
    expect(trace.busy).toBe(true);
  });

  test('is garbled when other keys are in it, and still expected then', () => {
    trace.expect('t', '[alice] good morning');
    expect(submit('draft [alice] good morning')).toEqual({ reports: [], fate: 'garbled' });
    expect(submit('[alice] good morning').fate).toBe('ours');
  });

  test('is taken without its hook when Claude works on an unknown prompt', () => {
    trace.expect('t', '[alice] hi');
    expect(delta('hello', 0)[0]).toEqual({ type: 'prompt.taken', turn: 't', prompt: 'p' });
  });

  test('that came by channel learns its prompt id from the first hook', () => {
    expect(trace.taken('t')).toEqual([{ type: 'prompt.taken', turn: 't' }]);
    expect(submit('<channel source="synthesis">hi</channel>')).toEqual({
      reports: [{ type: 'prompt.taken', turn: 't', prompt: 'p' }],
      fate: 'ours',
    });
  });
});

describe('a prompt by channel', () => {
  const wrapped = '<channel source="synthesis">hi</channel>';

  test.each<[road: string, entered: (turn: string) => void]>([
    ['its word is first', (turn) => trace.taken(turn)],
    ['its hook is first', (turn) => trace.expect(turn, 'hi', 'channel')],
  ])('that comes while a turn ends runs under an id that nobody tells: %s', (_road, entered) => {
    running();
    delta('hello', 0, true);
    reports('Stop', { last_assistant_message: 'hello' });
    entered('next');
    // Under the id of the turn that is over.
    const told = submit(wrapped);
    expect([told.fate, ...told.reports.filter((each) => 'prompt' in each)]).toEqual(['ours']);
    expect(trace.runs('q')).toBe(true);
    expect(delta('again', 0, true, { prompt_id: 'q', message_id: 'n' })).toMatchObject([
      { type: 'prompt.taken', turn: 'next', prompt: 'q' },
      { type: 'message.delta', prompt: 'q' },
    ]);
    expect(reports('Stop', { prompt_id: 'q', last_assistant_message: 'again' })).toMatchObject([
      { type: 'turn.stopped', prompt: 'q' },
    ]);
  });

  test('is ours although its hook is faster than the word that it was written, which then says nothing new', () => {
    trace.expect('t', 'hi', 'channel');
    expect(submit(wrapped)).toEqual({
      reports: [{ type: 'prompt.taken', turn: 't', prompt: 'p' }],
      fate: 'ours',
    });
    expect(trace.taken('t')).toEqual([]);
    expect(delta('hello', 0, true)).toMatchObject([{ type: 'message.delta' }]);
    expect(reports('Stop', { last_assistant_message: 'hello' })).toMatchObject([{ type: 'turn.stopped' }]);
    expect([trace.taken('t'), trace.busy]).toEqual([[], false]);
  });

  test('is not what somebody types meanwhile, and is taken when it was written', () => {
    trace.expect('t', 'hi', 'channel');
    expect(submit('hi there', 'q')).toMatchObject({ reports: [{ type: 'prompt.foreign' }], fate: 'foreign' });
    expect(trace.taken('t')).toEqual([{ type: 'prompt.taken', turn: 't' }]);
  });

  test('is not what Claude begins by itself meanwhile', () => {
    trace.expect('t', 'hi', 'channel');
    expect(delta('a task is done', 0)[0]).toMatchObject({ type: 'prompt.foreign', prompt: 'p' });
  });
});

describe('what Claude goes on with by itself', () => {
  const told = (name: string, more = '') =>
    `<task-notification>\n<task-id>b1</task-id>\n<tool-use-id>${name}</tool-use-id>\n<status>completed</status>\n${more}</task-notification>`;
  const ran = (tool_name: string, tool_response: unknown, more = {}) =>
    reports('PostToolUse', { tool_name, tool_input: {}, tool_response, tool_use_id: 'toolu_1', ...more });
  let prompts = 0;
  const foreign = (text: string) => submit(text, `q${++prompts}`).reports[0];
  const task = (name: string) => ({ by: 'task', name });

  test.each([
    ['a command in the background', 'Bash', { stdout: '', backgroundTaskId: 'b1' }, task('toolu_1')],
    ['an agent in the background', 'Agent', { isAsync: true, agentId: 'a' }, task('toolu_1')],
    ['a command', 'Bash', { stdout: '"backgroundTaskId"' }, undefined],
    ['an agent that has answered', 'Agent', { status: 'completed' }, undefined],
    ['a tool of others that answers words', 'mcp__x__y', '{"isAsync":true}', undefined],
  ])('%s: what is left behind', (_, tool, response, errand) => {
    running();
    expect(ran(tool, response)[0]).toMatchObject({ type: 'tool.activity', phase: 'succeeded' });
    const [report] = ran(tool, response);
    expect(report && 'errand' in report ? report.errand : undefined).toEqual(errand);
  });

  test('a subagent hears of its own tasks', () => {
    running();
    expect(ran('Bash', { backgroundTaskId: 'b1' }, { agent_id: 'a' })[0]).not.toHaveProperty('errand');
  });

  test('the end of a task names it, and nothing that stands in it does', () => {
    expect(foreign(told('toolu_1'))).toMatchObject({ errand: task('toolu_1') });
    const planted = told('toolu_2', `<summary>x</summary>\n${told('toolu_1')}`);
    expect(foreign(planted)).toMatchObject({ errand: task('toolu_2') });
    expect(foreign(`Look: ${told('toolu_1')}`)).not.toMatchObject({ errand: { by: 'task' } });
  });

  test('a wake-up comes with the words that it was set with', () => {
    running();
    const prompt = 'look whether the build is done';
    const [set] = ran('ScheduleWakeup', {}, { tool_input: { delaySeconds: 60, reason: 'x', prompt } });
    expect(set).toMatchObject({ errand: { by: 'wakeup' } });
    reports('Stop', { last_assistant_message: '' });
    const errand = set && 'errand' in set ? set.errand : undefined;
    expect(foreign(prompt)).toMatchObject({ errand });
    expect(foreign(`${prompt}?`)).not.toMatchObject({ errand });
  });

  test('what is run without a word of it was typed, whatever was told before', () => {
    running();
    submit(told('toolu_1'));
    reports('Stop', { last_assistant_message: '' });
    expect(delta('so it is', 0, false, { prompt_id: 'q' })[0]).not.toHaveProperty('errand');
  });
});

describe('a prompt of somebody else', () => {
  test('gets a turn of its own', () => {
    expect(submit('by hand', 'q').reports).toMatchObject([
      { type: 'prompt.foreign', turn: 'foreign1', prompt: 'q', text: 'by hand' },
    ]);
    expect(trace.busy).toBe(true);
  });

  test('entered while a turn runs belongs to it until Claude runs it later, without a submit', () => {
    running();
    expect(submit('by hand')).toEqual({ reports: [], fate: 'foreign' });
    reports('Stop', { last_assistant_message: '' });
    expect(delta('more', 0, false, { prompt_id: 'q' })[0]).toEqual({
      type: 'prompt.foreign',
      turn: 'foreign1',
      prompt: 'q',
      text: 'by hand',
    });
  });

  test('that is faster than our Enter ends our expectation', () => {
    trace.expect('t', '[alice] hi');
    expect(submit('by hand', 'q').fate).toBe('foreign');
    expect(reports('Stop', { prompt_id: 'q', last_assistant_message: '' })).toEqual([
      { type: 'turn.stopped', prompt: 'q', text: '' },
    ]);
  });
});

describe('the end of a turn', () => {
  test('comes at once when every batch of the last message is there', () => {
    running();
    delta('one\n', 0);
    delta('two', 1, true);
    expect(reports('Stop', { last_assistant_message: 'one\ntwo' })).toEqual([
      { type: 'turn.stopped', prompt: 'p', text: 'one\ntwo' },
    ]);
    expect(trace.busy).toBe(false);
  });

  test('waits for a batch that travels slower than Stop, whatever the order', () => {
    running();
    delta('two', 1, true);
    expect(reports('Stop', { last_assistant_message: 'one\ntwo' })).toEqual([]);
    expect(trace.closing).toBe(true);
    expect(delta('one\n', 0).map(({ type }) => type)).toEqual(['message.delta', 'turn.stopped']);
    expect(trace.busy).toBe(false);
  });

  test('is told by flush when the batch never comes', () => {
    running();
    expect(reports('Stop', { last_assistant_message: 'lost' })).toEqual([]);
    expect(trace.flush()).toEqual([{ type: 'turn.stopped', prompt: 'p', text: 'lost' }]);
    expect(trace.flush()).toEqual([]);
  });

  test('a batch after the end does not start a turn', () => {
    running();
    reports('Stop', { last_assistant_message: '' });
    expect(delta('late', 0).map(({ type }) => type)).toEqual(['message.delta']);
    expect(trace.busy).toBe(false);
  });

  test('after Esc is told by nobody, and what comes late starts nothing', () => {
    running();
    trace.reset();
    expect(trace.busy).toBe(false);
    expect(delta('late', 0).map(({ type }) => type)).toEqual(['message.delta']);
  });

  test.each([
    ['rate_limit', 'rate_limited'],
    ['server_error', 'provider_error'],
    ['overloaded', 'provider_error'],
    ['authentication_failed', 'auth_failed'],
    ['model_not_found', 'model_not_found'],
    ['something_new', 'provider_error'],
  ])('StopFailure %s is %s, with the words of Claude Code', (error, code) => {
    running();
    expect(reports('StopFailure', { error, last_assistant_message: 'API Error: no' })).toEqual([
      { type: 'turn.failed', prompt: 'p', code, detail: 'API Error: no' },
    ]);
    expect(trace.busy).toBe(false);
  });

  test('a prompt that is too long is named', () => {
    running();
    const [report] = reports('StopFailure', {
      error: 'invalid_request',
      error_details: 'prompt is too long: 9 > 8',
    });
    expect(report).toMatchObject({ code: 'context_too_long' });
  });

  test('the failure of a helper agent is not the turn’s', () => {
    running();
    expect(reports('StopFailure', { error: 'invalid_request', agent_id: 'a1' })).toEqual([]);
    expect(trace.busy).toBe(true);
  });

  test('an authentication failure says so when nobody is signed in', () => {
    trace.signedOut = true;
    running();
    const [report] = reports('StopFailure', {
      error: 'authentication_failed',
      last_assistant_message: '401',
    });
    expect(report).toMatchObject({ detail: expect.stringContaining('not signed in') });
  });
});

test('tools are told with their input, and with a bounded output', () => {
  running();
  const tool = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'u' };
  expect(reports('PreToolUse', tool)).toEqual([
    { type: 'tool.activity', tool_use: 'u', tool: 'Bash', phase: 'started', input: { command: 'ls' } },
  ]);
  const [report] = reports('PostToolUse', { ...tool, tool_response: 'x'.repeat(10_000) });
  expect(report).toMatchObject({ phase: 'succeeded', output: `${'x'.repeat(4000)}…` });
  expect(reports('PostToolUseFailure', { ...tool, error: 'no' })).toMatchObject([
    { phase: 'failed', output: 'no' },
  ]);
});
