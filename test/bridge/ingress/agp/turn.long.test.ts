// One conversation over a real connection, with an agent that does what the test says.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dialGateway } from '../../../../src/bridge/ingress/agp/dial.ts';
import { OutgoingMasks } from '../../../../src/bridge/outgoing-masks.ts';
import type { AgentReport } from '../../../../src/domain/commands.ts';
import { Config } from '../../../../src/protocol/settings/config.ts';
import { AgpBridge } from '../../../support/agp-bridge.ts';
import { AgpGateway, type PromptSeen } from '../../../support/agp-gateway.ts';
import { shown } from '../../../support/shown.ts';
import { until } from '../../../support/until.ts';

let gateway: AgpGateway;
let bridge: AgpBridge;

beforeEach(async () => {
  gateway = await AgpGateway.start();
  bridge = new AgpBridge({ url: gateway.url }).start();
  await gateway.connected();
});

afterEach(async () => {
  await bridge[Symbol.asyncDispose]();
  await gateway[Symbol.asyncDispose]();
});

const key = () => bridge.key('wx-1');
const session = () => bridge.dispatcher.session(key());
const report = (each: AgentReport) => bridge.agent.report(key(), each);

/** Claude takes each prompt and waits for the test. */
function scripted(): void {
  bridge.agent.onPrompt = ({ turn }) => bridge.agent.take(key(), turn);
}

/** The turn of the newest prompt, once Claude works on it. */
async function working(n = 1): Promise<string> {
  const given = await until(`prompt no. ${n} at Claude`, () => bridge.agent.prompts[n - 1]);
  return given.prompt.turn;
}

const chunks = (seen: PromptSeen, text: string) =>
  until(`"${text}" to be streamed`, () => seen.streamed === text);

const asks = (code: string): AgentReport => ({
  type: 'permission.ask',
  code,
  tool: 'Bash',
  input: { command: 'npm test' },
  expires_at: Date.now() + 60_000,
  tool_use: 'u1',
});

const tool = (phase: 'started' | 'succeeded' | 'failed', more: object = {}): AgentReport => ({
  type: 'tool.activity',
  tool_use: 'u1',
  tool: 'Bash',
  phase,
  ...(phase === 'started' && { input: { command: 'npm test' } }),
  ...more,
});

test('what Claude said without being asked comes with the next response, marked, once', async () => {
  scripted();
  const first = gateway.prompt('wx-1', 'leave it running');
  const errand = { by: 'task', name: 'u1' } as const;
  const turn = await working();
  report(tool('succeeded', { errand }));
  bridge.agent.endTurn(key(), turn, 'It runs.');
  await gateway.answered(first);
  report({ type: 'prompt.foreign', turn: 'a1', prompt: 'p-a1', text: '<task-notification>', errand });
  bridge.agent.endTurn(key(), 'a1', 'It is done.');
  const second = gateway.prompt('wx-1', 'hello');
  bridge.agent.endTurn(key(), await working(2), 'Hi.');
  await gateway.answered(second);
  expect(second.response).toMatchObject({
    stop_reason: 'end_turn',
    content: '_(about a background task)_\n\nIt is done.\n\nHi.',
  });
  const third = gateway.prompt('wx-1', 'again');
  bridge.agent.endTurn(key(), await working(3), 'Hi again.');
  await gateway.answered(third);
  expect(third.response?.content).toBe('Hi again.');
});

describe('while everything is stopped', () => {
  test('a prompt is refused in words, and the gateway is not left waiting', async () => {
    bridge.panic = { since: Date.UTC(2026, 10, 22, 3, 12), by: 'the operator', reason: 'secret' };
    const seen = await gateway.ask('wx-1', 'good morning');
    expect(seen.response).toMatchObject({
      stop_reason: 'error',
      error: expect.stringContaining('The operator stopped everything at 2026-11-22 03:12 UTC.'),
    });
    expect([bridge.agent.prompts, bridge.dispatcher.sessionsEver()]).toEqual([[], []]);
    expect(gateway.verdict()).toEqual([]);
  });
});

describe('an answer', () => {
  test('is streamed, given whole at the end, and belongs to the session of the conversation', async () => {
    const seen = await gateway.ask('wx-1', 'good morning');
    expect(seen.response).toMatchObject({ stop_reason: 'end_turn', content: 'You said: good morning' });
    expect(bridge.dispatcher.sessions().map((each) => each.key)).toEqual([key()]);
    expect(bridge.agent.prompts[0]?.prompt).toMatchObject({
      text: 'good morning',
      writer: 'agp:wx-alice',
      userId: 'wx-alice',
      meta: { source_channel: 'agp', source_chat: 'wx-1' },
    });
    await until('the reply to count as sent', () => session()?.replies[0]?.sent);
    expect(session()?.turns[0]).toMatchObject({ ingress: 'agp', answered: true });
    expect(gateway.verdict()).toEqual([]);
  });

  test('comes piece by piece, in order, before it is complete', async () => {
    scripted();
    const seen = gateway.prompt('wx-1', 'count');
    const turn = await working();
    for (const [index, word] of ['one ', 'two ', 'three'].entries()) {
      bridge.agent.say(key(), turn, word, 'm', index);
      await until(word, () => seen.chunks[index] === word);
    }
    expect(seen.response).toBeUndefined();
    bridge.agent.endTurn(key(), turn);
    await gateway.answered(seen);
    expect(gateway.verdict()).toEqual([]);
  });

  test('is whole even if its end never came as a piece', async () => {
    scripted();
    const seen = gateway.prompt('wx-1', 'go');
    const turn = await working();
    bridge.agent.say(key(), turn, 'The beginning');
    bridge.agent.endTurn(key(), turn, 'The beginning and the end');
    expect(await gateway.answered(seen)).toMatchObject({ content: 'The beginning and the end' });
    expect(gateway.verdict()).toEqual([]);
  });

  test('without a word says so', async () => {
    scripted();
    const seen = gateway.prompt('wx-1', 'go');
    bridge.agent.endTurn(key(), await working());
    expect((await gateway.answered(seen)).content).toContain('without writing an answer');
    expect(gateway.verdict()).toEqual([]);
  });

  test('that fails is an error in words, and what was written before it was streamed', async () => {
    scripted();
    const seen = gateway.prompt('wx-1', 'go');
    const turn = await working();
    bridge.agent.say(key(), turn, 'I will');
    report({ type: 'turn.failed', prompt: `p-${turn}`, code: 'rate_limited', detail: '429' });
    const { stop_reason, error } = await gateway.answered(seen);
    expect({ stop_reason, streamed: seen.streamed }).toEqual({ stop_reason: 'error', streamed: 'I will' });
    expect(error).toContain('usage limit');
    expect(gateway.verdict()).toEqual([]);
  });

  test.each<[string, AgentReport]>([
    ['Claude Code ends', { type: 'agent.exited', detail: 'code 137', failure: 'exited' }],
    [
      'Claude Code asks at its start',
      { type: 'agent.dialog', dialog: 'trust', screen: '', failure: 'folder_untrusted' },
    ],
    ['Claude falls silent', { type: 'turn.idle', interrupted: false }],
  ])('%s: the prompt ends with an error', async (_what, ending) => {
    scripted();
    const seen = gateway.prompt('wx-1', 'go');
    await working();
    report(ending);
    expect(await gateway.answered(seen)).toMatchObject({ stop_reason: 'error' });
    expect(gateway.verdict()).toEqual([]);
  });

  test('that takes too long ends with an error', async () => {
    scripted();
    const seen = gateway.prompt('wx-1', 'go');
    const turn = await working();
    bridge.dispatcher.dispatch(key(), { type: 'turn.expire', turn, code: 'expired' });
    expect(await gateway.answered(seen)).toMatchObject({ stop_reason: 'error' });
  });

  test('to a message that gave way to newer ones is an error, at once', async () => {
    await bridge[Symbol.asyncDispose]();
    bridge = new AgpBridge({ url: gateway.url, queued: 2 }).start();
    await gateway.connected(2);
    scripted();
    const prompts = ['a', 'b', 'c', 'd'].map((text) => gateway.prompt('wx-1', text));
    const [first, oldest] = prompts;
    if (!first || !oldest) throw new Error('four prompts were sent');
    expect((await gateway.answered(oldest)).error).toContain('Too many messages');
    expect(first.response).toBeUndefined();
    for (let n = 1; n <= 3; n += 1) bridge.agent.endTurn(key(), await working(n), 'done');
    for (const prompt of prompts) await gateway.answered(prompt);
    expect(gateway.verdict()).toEqual([]);
  });

  test('the next message waits in line, and each gets its own answer', async () => {
    const seen = ['one', 'two', 'three'].map((text) => gateway.prompt('wx-1', text));
    for (const prompt of seen) {
      expect((await gateway.answered(prompt)).content).toBe(`You said: ${prompt.text}`);
    }
    expect(gateway.verdict()).toEqual([]);
  });

  test('a session that is removed ends its prompts', async () => {
    scripted();
    const seen = [gateway.prompt('wx-1', 'a'), gateway.prompt('wx-1', 'b')];
    await working();
    await until('both', () => session()?.turns.length === 2);
    bridge.dispatcher.dispatch(key(), { type: 'session.remove' });
    for (const prompt of seen) expect((await gateway.answered(prompt)).stop_reason).toBe('cancelled');
  });
});

describe('a message while Claude works', () => {
  const mallory = (text: string) =>
    gateway.frame(
      {
        msg_id: '11111111-1111-4111-8111-111111111111',
        guid: 'device-1',
        user_id: 'wx-mallory',
        method: 'session.prompt',
        payload: { session_id: 'wx-1', prompt_id: 'm', content: [{ type: 'text', text }] },
      },
      'wx-1',
      'm',
      text,
    );
  const queued = () => until('the message in line', () => session()?.turns.length === 2);

  test('that is steered is answered in words, and the running answer goes on', async () => {
    scripted();
    const first = gateway.prompt('wx-1', 'go');
    const turn = await working();
    const second = gateway.prompt('wx-1', '+steer leave the tests alone');
    await queued();
    const joins = session()?.turns.at(1)?.id ?? '';
    report({ type: 'prompt.joining', turn: joins });
    report({ type: 'prompt.joined', turn: joins });
    expect(await gateway.answered(second)).toMatchObject({ stop_reason: 'end_turn' });
    expect(second.streamed).toContain('"leave the tests alone" while it was at work');
    bridge.agent.say(key(), turn, 'done');
    bridge.agent.endTurn(key(), turn, 'done');
    expect((await gateway.answered(first)).content).toBe('done');
    expect(bridge.agent.prompts).toHaveLength(1);
    expect(gateway.verdict()).toEqual([]);
  });

  test('that interrupts ends the answer as cancelled, in words, and is worked on next', async () => {
    scripted();
    const first = gateway.prompt('wx-1', 'go');
    await working();
    const second = gateway.prompt('wx-1', '+interrupt stop that');
    await until('the interrupt', () => bridge.agent.interrupted.length === 1);
    report({ type: 'turn.idle', interrupted: true });
    expect((await gateway.answered(first)).stop_reason).toBe('cancelled');
    expect(first.streamed).toContain('stopped for a newer message');
    bridge.agent.endTurn(key(), await working(2), 'as you like');
    expect((await gateway.answered(second)).content).toBe('as you like');
    expect(gateway.verdict()).toEqual([]);
  });

  test('of somebody else stops nothing, waits, and is told so', async () => {
    scripted();
    gateway.prompt('wx-1', 'go');
    const turn = await working();
    const second = mallory('+interrupt stop that');
    await queued();
    expect(bridge.agent.interrupted).toEqual([]);
    bridge.agent.endTurn(key(), turn, 'done');
    bridge.agent.endTurn(key(), await working(2), 'no');
    expect((await gateway.answered(second)).content).toMatch(/^_\(only who may answer .*\)_\n\nno$/);
    expect(gateway.verdict()).toEqual([]);
  });
});

describe('tool use', () => {
  test('is shown between the words around it, with kind, title, place, output and end', async () => {
    scripted();
    const seen = gateway.prompt('wx-1', 'read it');
    const turn = await working();
    bridge.agent.say(key(), turn, 'First I read.', 'm1');
    const read = { tool_use: 'u9', tool: 'Read' };
    report({ type: 'tool.activity', ...read, phase: 'started', input: { file_path: '/w/a.ts' } });
    report({ type: 'tool.activity', ...read, phase: 'succeeded', output: 'the text' });
    report({
      type: 'message.delta',
      prompt: `p-${turn}`,
      message: 'm1',
      index: 1,
      text: ' Done.',
      final: true,
    });
    bridge.agent.endTurn(key(), turn);
    await gateway.answered(seen);
    expect(seen.tools.get('u9')).toEqual({
      id: 'u9',
      title: 'Read: /w/a.ts',
      kind: 'read',
      status: 'completed',
      locations: [{ path: '/w/a.ts' }],
      content: [{ type: 'text', text: 'the text' }],
    });
    expect(seen.order).toEqual([
      'message_chunk',
      'tool_call u9 in_progress',
      'tool_call_update u9 completed',
      'message_chunk',
      'response end_turn',
    ]);
    expect(gateway.verdict()).toEqual([]);
  });

  test('that is still open when the turn ends badly has failed', async () => {
    scripted();
    const seen = gateway.prompt('wx-1', 'run');
    const turn = await working();
    report(tool('started'));
    report({ type: 'turn.failed', prompt: `p-${turn}`, code: 'provider_error', detail: '500' });
    await gateway.answered(seen);
    expect(seen.tools.get('u1')).toMatchObject({ status: 'failed', kind: 'execute' });
    expect(gateway.verdict()).toEqual([]);
  });

  test('belongs to the prompt that is worked on, also while the response to the last one is not proved yet', async () => {
    await bridge[Symbol.asyncDispose]();
    let pongs: (() => void)[] | undefined = [];
    const pong = (tell: () => void) => (pongs ? void pongs.push(tell) : tell());
    bridge = new AgpBridge({
      url: gateway.url,
      dial: (url, events) =>
        dialGateway(url, { ...events, pong: (payload) => pong(() => events.pong(payload)) }),
    }).start();
    await gateway.connected(2);
    const first = await gateway.ask('wx-1', 'one');
    scripted();
    const second = gateway.prompt('wx-1', 'two');
    const turn = await working(2);
    report(tool('started'));
    report(tool('succeeded'));
    bridge.agent.endTurn(key(), turn, 'done');
    await gateway.answered(second);
    expect(first.tools.size).toBe(0);
    expect(second.tools.get('u1')?.status).toBe('completed');
    expect(gateway.verdict()).toEqual([]);
    for (const tell of pongs) tell();
    pongs = undefined;
  });

  test('of a turn that the operator started is not shown to the chat', async () => {
    await gateway.ask('wx-1', 'hello');
    scripted();
    const launch = { cwd: '/w', permissionMode: 'manual', delivery: 'auto' } as const;
    const submit = { type: 'turn.submit', turn: 'op', claude: 'c', launch, ingress: 'operator' } as const;
    bridge.dispatcher.dispatch(key(), { ...submit, text: 'by hand' });
    await working(2);
    const seen = gateway.prompt('wx-1', 'next');
    report(tool('started'));
    report(tool('succeeded'));
    bridge.agent.endTurn(key(), 'op', 'secret of the operator');
    bridge.agent.endTurn(key(), await working(3), 'for the chat');
    expect((await gateway.answered(seen)).content).toBe('for the chat');
    expect(seen.tools.size).toBe(0);
    expect(gateway.verdict()).toEqual([]);
  });
});

describe('cancel', () => {
  test('in the middle interrupts Claude, and the response waits until it has really stopped', async () => {
    scripted();
    const seen = gateway.prompt('wx-1', 'go');
    const turn = await working();
    bridge.agent.say(key(), turn, 'I begin');
    await chunks(seen, 'I begin');
    gateway.cancel(seen);
    await until('the interrupt', () => bridge.agent.interrupted.length === 1);
    expect(seen.response).toBeUndefined();
    report({ type: 'turn.idle', interrupted: true });
    expect(await gateway.answered(seen)).toMatchObject({ stop_reason: 'cancelled' });
    expect(seen.streamed).toBe('I begin');
    expect(gateway.verdict()).toEqual([]);
  });

  test('of a message that waits in line ends it at once, and Claude never sees it', async () => {
    scripted();
    const first = gateway.prompt('wx-1', 'first');
    await working();
    const second = gateway.prompt('wx-1', 'second');
    gateway.cancel(second);
    expect((await gateway.answered(second)).stop_reason).toBe('cancelled');
    expect(first.response).toBeUndefined();
    bridge.agent.endTurn(key(), await working(), 'done');
    await gateway.answered(first);
    const third = gateway.prompt('wx-1', 'third');
    bridge.agent.endTurn(key(), await working(2), 'third answer');
    expect((await gateway.answered(third)).content).toBe('third answer');
    expect(bridge.agent.prompts.map(({ prompt }) => prompt.text)).toEqual(['first', 'third']);
    expect(gateway.verdict()).toEqual([]);
  });

  test('that overtakes its prompt still ends it, without Claude', async () => {
    gateway.cancel({ session: 'wx-1', id: 'late' });
    const seen = gateway.prompt('wx-1', 'too late', { id: 'late' });
    expect((await gateway.answered(seen)).stop_reason).toBe('cancelled');
    expect(bridge.agent.prompts).toEqual([]);
    expect(gateway.verdict()).toEqual([]);
  });

  test('after the end changes nothing, twice', async () => {
    const seen = await gateway.ask('wx-1', 'hello');
    gateway.cancel(seen);
    gateway.cancel(seen);
    const next = await gateway.ask('wx-1', 'next');
    expect(next.response).toMatchObject({ stop_reason: 'end_turn' });
    expect(gateway.verdict()).toEqual([]);
  });

  test('twice in the middle interrupts once', async () => {
    scripted();
    const seen = gateway.prompt('wx-1', 'go');
    await working();
    gateway.cancel(seen);
    gateway.cancel(seen);
    await until('the interrupt', () => bridge.agent.interrupted.length > 0);
    report({ type: 'turn.idle', interrupted: true });
    await gateway.answered(seen);
    expect(bridge.agent.interrupted).toHaveLength(1);
    expect(gateway.verdict()).toEqual([]);
  });

  test('by the operator is told in words', async () => {
    scripted();
    const seen = gateway.prompt('wx-1', 'go');
    const turn = await working();
    bridge.dispatcher.dispatch(key(), { type: 'turn.cancel', turn, by: 'the operator' });
    report({ type: 'turn.idle', interrupted: true });
    expect((await gateway.answered(seen)).stop_reason).toBe('cancelled');
    expect(seen.streamed).toContain('interrupted');
  });
});

describe('a permission question', () => {
  async function asked(): Promise<{ seen: PromptSeen; turn: string }> {
    scripted();
    const seen = gateway.prompt('wx-1', 'test it');
    const turn = await working();
    bridge.agent.say(key(), turn, 'I run the tests.', 'm1');
    report(tool('started'));
    report(asks('abcde'));
    await gateway.answered(seen);
    return { seen, turn };
  }

  test('is the end of its prompt; the next message is the verdict and gets the rest of the answer', async () => {
    const { seen, turn } = await asked();
    expect(seen.response?.stop_reason).toBe('end_turn');
    expect(seen.response?.content).toMatch(
      /^I run the tests\.[\s\S]*│ npm test\nApprove\? Reply "yes abcde"/,
    );
    expect(seen.tools.get('u1')?.status).toBe('pending');
    const verdict = gateway.prompt('wx-1', 'yes abcde');
    await until('the verdict', () => bridge.agent.permissions.length === 1);
    expect(bridge.agent.permissions).toMatchObject([{ code: 'abcde', verdict: 'allow' }]);
    report(tool('succeeded', { output: 'all green' }));
    report({
      type: 'message.delta',
      prompt: `p-${turn}`,
      message: 'm2',
      index: 0,
      text: 'All green.',
      final: true,
    });
    bridge.agent.endTurn(key(), turn);
    expect(await gateway.answered(verdict)).toMatchObject({ stop_reason: 'end_turn', content: 'All green.' });
    expect(verdict.tools.get('u1')).toMatchObject({ status: 'completed', title: 'Bash: npm test' });
    expect(bridge.agent.prompts).toHaveLength(1);
    expect(gateway.verdict()).toEqual([]);
  });

  test('answered with no denies, with the reason', async () => {
    const { turn } = await asked();
    const verdict = gateway.prompt('wx-1', 'no abcde not today');
    await until('the verdict', () => bridge.agent.permissions.length === 1);
    expect(bridge.agent.permissions).toMatchObject([{ verdict: 'deny', reason: 'not today' }]);
    bridge.agent.endTurn(key(), turn, 'I run the tests.');
    await gateway.answered(verdict);
  });

  test('can be answered by the operator: the next message brings the rest and its own answer', async () => {
    const { turn } = await asked();
    bridge.dispatcher.dispatch(key(), {
      type: 'permission.decide',
      code: 'abcde',
      verdict: 'allow',
      by: 'cli',
      ...shown(session(), 'abcde'),
    });
    report({
      type: 'message.delta',
      prompt: `p-${turn}`,
      message: 'm2',
      index: 0,
      text: 'All green.',
      final: true,
    });
    bridge.agent.endTurn(key(), turn);
    const next = gateway.prompt('wx-1', 'and now?');
    bridge.agent.endTurn(key(), await working(2), 'Now we rest.');
    const { content } = await gateway.answered(next);
    expect(content).toMatch(/allowed by the operator[\s\S]*All green\.[\s\S]*Now we rest\.$/);
    expect(gateway.verdict()).toEqual([]);
  });

  test('answered by the operator: a cancel of the next message does not wait for what still runs', async () => {
    const { turn } = await asked();
    const seen = shown(session(), 'abcde');
    const allow = { type: 'permission.decide', code: 'abcde', verdict: 'allow', by: 'cli', ...seen } as const;
    bridge.dispatcher.dispatch(key(), allow);
    const next = gateway.prompt('wx-1', 'and now?');
    await until('the message in line', () => session()?.turns.length === 2);
    gateway.cancel(next);
    expect((await gateway.answered(next)).stop_reason).toBe('cancelled');
    expect(bridge.agent.interrupted).toEqual([]);
    bridge.agent.endTurn(key(), turn, 'I run the tests.');
    bridge.agent.onPrompt = ({ turn: last }) => {
      bridge.agent.take(key(), last);
      bridge.agent.endTurn(key(), last, 'fresh');
    };
    const last = await gateway.ask('wx-1', 'something else');
    expect(last.response?.content).not.toContain('interrupted');
    expect(last.response?.content).toMatch(/fresh$/);
    expect(gateway.verdict()).toEqual([]);
  });

  test('is not answered by another user of the conversation', async () => {
    await asked();
    const frame = {
      msg_id: '11111111-1111-4111-8111-111111111111',
      guid: 'device-1',
      user_id: 'wx-mallory',
      method: 'session.prompt',
      payload: { session_id: 'wx-1', prompt_id: 'm', content: [{ type: 'text', text: 'yes abcde' }] },
    };
    const seen = gateway.frame(frame, 'wx-1', 'm', 'yes abcde');
    const { stop_reason, error } = await gateway.answered(seen);
    expect(stop_reason).toBe('refusal');
    expect(error).toContain('Only the person whose message');
    expect(bridge.agent.permissions).toEqual([]);
    expect(gateway.verdict()).toEqual([]);
  });

  test.each([
    ['one who is named', ['agp:wx-alice'], true],
    ['nobody but who is named', ['agp:wx-bob'], false],
    ['nobody who is named for another channel', ['telegram:wx-alice'], false],
  ])('with approvers is answered by %s', async (_who, approvers, counts) => {
    await bridge[Symbol.asyncDispose]();
    bridge = new AgpBridge({ url: gateway.url, approvers }).start();
    await gateway.connected(2);
    const { turn } = await asked();
    const verdict = gateway.prompt('wx-1', 'yes abcde');
    if (!counts) {
      expect((await gateway.answered(verdict)).stop_reason).toBe('refusal');
      return expect(bridge.agent.permissions).toEqual([]);
    }
    await until('the verdict', () => bridge.agent.permissions.length === 1);
    bridge.agent.endTurn(key(), turn);
    expect((await gateway.answered(verdict)).stop_reason).toBe('end_turn');
  });

  test('of an unnamed user is answered by an unnamed one, and not by a named one', async () => {
    scripted();
    const frame = (id: string, text: string, user: object) => {
      const payload = { session_id: 'wx-1', prompt_id: id, content: [{ type: 'text', text }] };
      return gateway.frame({ method: 'session.prompt', ...user, payload }, 'wx-1', id, text);
    };
    const question = frame('q', 'test it', {});
    await working();
    report(asks('abcde'));
    await gateway.answered(question);
    const named = frame('n', 'yes abcde', { user_id: 'wx-mallory' });
    expect((await gateway.answered(named)).stop_reason).toBe('refusal');
    frame('u', 'yes abcde', {});
    await until('the verdict', () => bridge.agent.permissions.length === 1);
  });

  test('is not answered from another conversation, of which the code becomes no first message', async () => {
    await asked();
    const elsewhere = await gateway.ask('wx-2', 'yes abcde');
    expect(elsewhere.response?.content).toContain('belongs to another conversation');
    expect(bridge.dispatcher.session(bridge.key('wx-2'))).toBeUndefined();
    expect(bridge.agent.prompts).toHaveLength(1);
    expect(bridge.agent.permissions).toEqual([]);
  });

  test('with a wrong code is told so, and stays open', async () => {
    await asked();
    const wrong = await gateway.ask('wx-1', 'yes fghij');
    expect(wrong.response).toMatchObject({ stop_reason: 'end_turn' });
    expect(wrong.response?.content).toContain('abcde');
    expect(bridge.agent.permissions).toEqual([]);
  });

  test('cancel of its prompt stops what it asked for, without a second response', async () => {
    const { seen } = await asked();
    gateway.cancel(seen);
    await until('the interrupt', () => bridge.agent.interrupted.length === 1);
    report({ type: 'turn.idle', interrupted: true });
    bridge.agent.onPrompt = ({ turn }) => {
      bridge.agent.take(key(), turn);
      bridge.agent.endTurn(key(), turn, 'fresh');
    };
    const next = await gateway.ask('wx-1', 'something else');
    expect(next.response?.content).toMatch(/fresh$/);
    expect(gateway.verdict()).toEqual([]);
  });
});

describe('a prompt that comes again', () => {
  test('while it is answered, and after, is asked once and answered once', async () => {
    scripted();
    const seen = gateway.prompt('wx-1', 'go');
    gateway.again(seen);
    const turn = await working();
    gateway.again(seen);
    bridge.agent.endTurn(key(), turn, 'done');
    await gateway.answered(seen);
    gateway.again(seen);
    bridge.agent.onPrompt = ({ turn: next }) => {
      bridge.agent.take(key(), next);
      bridge.agent.endTurn(key(), next, 'second');
    };
    await gateway.ask('wx-1', 'next');
    expect(bridge.agent.prompts).toHaveLength(2);
    expect(gateway.repeats).toBe(0);
    expect(gateway.verdict()).toEqual([]);
  });

  test('in a new frame is recognised by its prompt id and text', async () => {
    await gateway.ask('wx-1', 'go');
    const again = gateway.prompt('wx-1', 'go', { id: 'prompt-1' });
    await gateway.ask('wx-1', 'next');
    expect(bridge.agent.prompts).toHaveLength(2);
    expect(again.response?.content).toBe('You said: go');
    expect(gateway.verdict()).toEqual([]);
  });

  test('over a later connection gets the same response again: the gateway may have forgotten it', async () => {
    const seen = await gateway.ask('wx-1', 'go');
    await until('the proof', () => session()?.replies[0]?.sent);
    gateway.cut();
    await gateway.connected(2);
    gateway.again(seen);
    await until('the repeat', () => gateway.repeats === 1);
    expect(bridge.agent.prompts).toHaveLength(1);
    expect(gateway.verdict()).toEqual([]);
  });
});

describe('frames that are not understood', () => {
  test.each([
    ['no JSON', '{"method":'],
    ['no object', '[]'],
    ['null', 'null'],
    ['no method', '{"msg_id":"x","payload":{}}'],
    ['an unknown method', '{"msg_id":"x","method":"session.teleport","payload":{}}'],
    ['our own direction', '{"msg_id":"x","method":"session.update","payload":{}}'],
    ['a cancel without ids', '{"msg_id":"x","method":"session.cancel","payload":{}}'],
    ['a prompt without ids', '{"msg_id":"x","method":"session.prompt","payload":{"content":[]}}'],
    ['depth', `{"method":"ping","payload":${'['.repeat(5000)}${']'.repeat(5000)}}`],
    ['a prototype', '{"__proto__":{"method":"ping"},"constructor":1}'],
    ['nothing', ''],
  ])('%s: the connection and the conversations go on', async (_what, text) => {
    gateway.raw(text);
    await gateway.ask('wx-1', 'hello');
    expect(gateway.connections).toBe(1);
    expect(gateway.verdict()).toEqual([]);
  });

  test('bytes: the connection goes on', async () => {
    gateway.raw(Buffer.from([0, 255, 1]));
    await gateway.ask('wx-1', 'hello');
    expect(gateway.connections).toBe(1);
  });

  test.each<[string, unknown]>([
    ['no list', 'just text'],
    ['a list of strings', ['text']],
    ['blocks without type', [{ text: 'hi' }]],
    ['an empty list', []],
    ['an image alone', [{ type: 'image', data: 'AAAA' }]],
    ['blank text', [{ type: 'text', text: '  \n ' }]],
  ])('a prompt whose content is %s is answered with an error', async (_what, content) => {
    const seen = gateway.prompt('wx-1', 'x', { content });
    expect((await gateway.answered(seen)).stop_reason).toBe('error');
    expect(bridge.agent.prompts).toEqual([]);
    expect(gateway.verdict()).toEqual([]);
  });

  test('unknown fields and null labels are ignored, and no label is echoed', async () => {
    const frame = {
      msg_id: null,
      guid: null,
      user_id: null,
      method: 'session.prompt',
      colour: 'red',
      payload: {
        session_id: 'wx-1',
        prompt_id: 'n',
        content: [{ type: 'text', text: 'hi', lang: 'en' }],
        x: 1,
      },
    };
    const seen = gateway.frame(frame, 'wx-1', 'n', 'hi');
    expect((await gateway.answered(seen)).content).toBe('You said: hi');
  });

  test('other content beside text is named to Claude', async () => {
    const content = [
      { type: 'text', text: 'look' },
      { type: 'image', data: 'AAAA' },
      { type: 'im age\n`', data: '' },
    ];
    await gateway.answered(gateway.prompt('wx-1', 'look', { content }));
    expect(bridge.agent.prompts[0]?.prompt.text).toBe('look\n(image, image: not passed on, only text is)');
  });
});

test.each([
  '../../../etc/passwd',
  '__proto__',
  'a\u0000b',
  'line\nbreak',
  '\u001b[2J',
  '🙂'.repeat(500),
  ' ',
  ':agp:',
])('a conversation may be called %j', async (name) => {
  const seen = await gateway.ask(name, `hello from ${JSON.stringify(name)}`);
  expect(seen.response?.stop_reason).toBe('end_turn');
  expect(bridge.dispatcher.session(bridge.key(name))?.turns).toHaveLength(1);
  expect(gateway.verdict()).toEqual([]);
});

test('half a character in a message goes to Claude as it is, and comes back as one that can be read', async () => {
  const text = 'half \ud83d and \udc00 whole 🙂';
  const seen = await gateway.ask('wx-1', text);
  expect(bridge.agent.prompts[0]?.prompt.text).toBe(text);
  expect(seen.streamed).toBe(`You said: ${text.toWellFormed()}`);
  expect(gateway.verdict()).toEqual([]);
});

test('an application ping is answered with one, and no more than one a second', async () => {
  for (let i = 0; i < 5; i += 1)
    gateway.raw(`{"msg_id":"p${i}","guid":"g","method":"ping","payload":{"ts":${i}}}`);
  await gateway.ask('wx-1', 'hello');
  expect(gateway.pings).toMatchObject([{ method: 'ping', guid: 'g', payload: { ts: 0 } }]);
  expect(gateway.verdict()).toEqual([]);
});

test('one message too many within a minute, or one too long, is refused in words, and the ones before go on', async () => {
  await bridge[Symbol.asyncDispose]();
  const limits = { messagesPerMinute: 2, messageCharacters: 100 };
  bridge = new AgpBridge({ url: gateway.url, limits }).start();
  await gateway.connected(2);
  const long = await gateway.ask('wx-1', 'x'.repeat(101));
  expect([long.response?.stop_reason, long.response?.error]).toEqual([
    'refusal',
    expect.stringContaining('101 characters'),
  ]);
  for (const text of ['one', 'two'])
    expect((await gateway.ask('wx-1', text)).response?.content).toBe(`You said: ${text}`);
  const third = await gateway.ask('wx-1', 'three');
  expect(third.response?.error).toContain('you wrote more than 2 within a minute');
  expect(bridge.agent.prompts.map(({ prompt }) => prompt.text)).toEqual(['one', 'two']);
  expect(gateway.verdict()).toEqual([]);
});

test('what Claude and its tools say goes out without secrets, a question as it is', async () => {
  await bridge[Symbol.asyncDispose]();
  const masks = new OutgoingMasks(Config.parse({}), { values: () => [] });
  bridge = new AgpBridge({ url: gateway.url, masks }).start();
  await gateway.connected(2);
  scripted();
  const seen = gateway.prompt('wx-1', 'hello');
  const turn = await working();
  bridge.agent.say(key(), turn, 'Password: zhdFJ', 'm', 0);
  bridge.agent.say(key(), turn, 'ZGFTViy\nand the pa', 'm', 1);
  const use = { type: 'tool.activity', tool_use: 'u1', tool: 'Bash' } as const;
  report({ ...use, phase: 'started', input: { command: 'cat notes' } });
  report({ ...use, phase: 'succeeded', output: 'Passwort: hunter2' });
  await chunks(seen, 'Password: ‹secret: password›\nand the pa');
  await until('the end of the tool', () =>
    [...seen.tools.values()].some(({ status }) => status === 'completed'),
  );
  expect(JSON.stringify([...seen.tools.values()])).toContain('Passwort: ‹secret: password›');
  bridge.agent.say(key(), turn, 'per.', 'm', 2);
  bridge.agent.endTurn(key(), turn);
  const { content } = await gateway.answered(seen);
  expect(content).toBe(
    'Password: ‹secret: password›\nand the paper.\n\n_1 secret was masked in this answer (`mask` in the configuration)._',
  );
  expect(seen.streamed).toBe('Password: ‹secret: password›\nand the paper.');
});
