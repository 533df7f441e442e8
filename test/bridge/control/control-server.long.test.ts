import { once } from 'node:events';
import { rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { duplexPair } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sessionId } from '../../../src/bridge/app/operator/session-ref.ts';
import type { ControlLimits } from '../../../src/bridge/control/control-server.ts';
import { callBridge, withBridge } from '../../../src/cli/client/control-client.ts';
import { RpcConnection } from '../../../src/cli/client/rpc-connection.ts';
import { manyClients } from '../../support/many-clients.ts';
import type { SmallBridge } from '../../support/small-bridge.ts';
import { until } from '../../support/until.ts';
import { SmallControl } from './small-control.ts';

let control: SmallControl;
let dir: string;
let bridge: SmallBridge;

beforeEach(async () => {
  control = await SmallControl.start();
  ({ dir, bridge } = control);
});

afterEach(async () => {
  await control[Symbol.asyncDispose]();
});

/** Sends raw lines and returns the first reply. */
async function raw(text: string): Promise<{ id: unknown; error?: { code: number; data: { code: string } } }> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect(join(dir, 'c.sock'), () => socket.write(text));
  socket.on('data', (data) => resolve(data.toString())).on('error', reject);
  const reply = await promise;
  socket.destroy();
  return JSON.parse(reply.split('\n')[0] ?? '');
}

test('the socket belongs to its owner alone', () => {
  expect((statSync(join(dir, 'c.sock')).mode & 0o777).toString(8)).toBe('600');
});

test('an operator sends a message, follows the answer, and finds the session by a prefix', async () => {
  const texts: string[] = [];
  const params = { session: 'ops:one', text: 'hello', create: true, follow: true };
  const sent = await callBridge(dir, 'session.send', params, {
    onNotification: (_, { text }) => texts.push(String(text)),
  });
  expect([texts.join(''), sent.outcome, sent.words]).toEqual(['You said: hello', 'completed', null]);
  const [row] = await callBridge(dir, 'session.list', {});
  expect(row).toMatchObject({ key: 'ops:one', state: 'idle', queued: 0, delivery: 'terminal', pid: 1 });
  const seen = await callBridge(dir, 'session.inspect', { session: row?.id.slice(0, 4) ?? '' });
  expect([seen.key, seen.screen]).toEqual(['ops:one', ['row 1']]);
  expect(seen).toMatchObject({ memory: '/state/memory/ops:one', stays: ['memory/large.md: in words'] });
});

test('whoever follows a message hears the questions that Claude has about it, each once', async () => {
  bridge.agent.onPrompt = (prompt, { key }) => {
    bridge.agent.take(key, prompt.turn);
    const fields = { tool: 'Bash', input: { command: 'ls' }, expires_at: Date.now() + 60_000 };
    for (const code of ['abcde', 'fghij'])
      bridge.agent.report(key, { type: 'permission.ask', code, ...fields });
  };
  const heard: unknown[] = [];
  const params = { session: 'ops:one', text: 'hello', create: true, follow: true };
  await callBridge(dir, 'session.send', params, {
    onNotification: (method, { code, text }) => {
      if (method !== 'question') return;
      expect(text).toContain(`synthesis approve ${code}`);
      heard.push(code);
      const turn = bridge.agent.prompts[0]?.prompt.turn ?? '';
      if (code === 'fghij') bridge.agent.endTurn('ops:one', turn, 'done');
    },
  });
  expect(heard).toEqual(['abcde', 'fghij']);
});

test('whoever follows a message hears what it waits for, and how a question was answered', async () => {
  bridge.agent.onPrompt = () => {};
  const turn = () => bridge.agent.prompts[0]?.prompt.turn ?? '';
  const heard: unknown[] = [];
  const params = { session: 's', text: 'hello', create: true, follow: true };
  await callBridge(dir, 'session.send', params, {
    onNotification: (method, { state, words }) => {
      heard.push([method, state ?? words]);
      if (state === 'starting') bridge.agent.take('s', turn());
      const ask = {
        type: 'permission.ask',
        code: 'abcde',
        tool: 'Bash',
        input: {},
        expires_at: 1e15,
      } as const;
      if (state === 'working') bridge.agent.report('s', ask);
      if (method === 'question')
        void callBridge(dir, 'permission.decide', { code: 'abcde', verdict: 'deny' });
      if (method === 'decided') bridge.agent.endTurn('s', turn(), '');
    },
  });
  expect(heard).toEqual([
    ['status', 'starting'],
    ['status', 'delivering'],
    ['status', 'working'],
    ['question', undefined],
    ['decided', '`abcde` (Bash) was denied by the operator (pts/7: zsh).'],
  ]);
});

test.each([
  ['the configuration', 'interrupt', 'go right'],
  ['its first word', 'queue', '+interrupt go right'],
] as const)('what a message does while Claude works on another is said by %s', async (_, mode, text) => {
  bridge.queueMode = mode;
  bridge.agent.onPrompt = ({ turn }, { key }) => bridge.agent.take(key, turn);
  const params = { session: 's', create: true, follow: false };
  await callBridge(dir, 'session.send', { ...params, text: 'first' });
  await until('the first message', () => bridge.agent.prompts.length === 1);
  await callBridge(dir, 'session.send', { ...params, text });
  expect(bridge.agent.interrupted).toEqual(['s']);
  bridge.agent.report('s', { type: 'turn.idle', interrupted: true });
  await until('the second message', () => bridge.agent.prompts[1]?.prompt.text === 'go right');
});

test('whoever follows a message hears its end alone, while the one that took it in goes on', async () => {
  bridge.agent.onPrompt = ({ turn }, { key }) => bridge.agent.take(key, turn);
  const params = { session: 's', create: true };
  await callBridge(dir, 'session.send', { ...params, text: 'first', follow: false });
  await until('the first message', () => bridge.agent.prompts.length === 1);
  const heard: unknown[] = [];
  const sent = callBridge(
    dir,
    'session.send',
    { ...params, text: '+steer go left', follow: true },
    { onNotification: (_, { words }) => heard.push(words) },
  );
  const joining = await until('the second message', () => bridge.dispatcher.session('s')?.turns[1]);
  expect(joining).toMatchObject({ text: 'go left', steer: true });
  bridge.agent.report('s', { type: 'prompt.joining', turn: joining.id });
  bridge.agent.report('s', { type: 'prompt.joined', turn: joining.id });
  expect(await sent).toMatchObject({ turn: joining.id, outcome: 'completed' });
  expect(heard.at(-1)).toBe('Claude is at work and gets the message at its next step …');
  expect(bridge.dispatcher.session('s')?.turns[0]?.phase.name).toBe('running');
});

test('a message that may open its session does not go to one whose name begins so', async () => {
  const send = (session: string, create: boolean) =>
    callBridge(dir, 'session.send', { session, text: 'hi', create, follow: true });
  for (const session of ['notes-of-may', 'notes', 'notes']) await send(session, true);
  await send('notes-of', false);
  const keys = bridge.dispatcher.sessions().map(({ key, turns }) => [key, turns.length]);
  expect(keys).toEqual([
    ['notes-of-may', 2],
    ['notes', 2],
  ]);
});

test('a message can be stored without waiting for its answer', async () => {
  bridge.agent.onPrompt = () => {};
  const params = { session: 'ops:one', text: 'hello', create: true, follow: false };
  expect(await callBridge(dir, 'session.send', params)).toMatchObject({ outcome: 'accepted' });
});

test('a failed turn comes with the words a chat user would read', async () => {
  bridge.agent.onPrompt = (_, { key }) =>
    bridge.agent.report(key, { type: 'agent.exited', failure: 'claude_not_found', detail: 'x' });
  const params = { session: 'ops:one', text: 'hello', create: true, follow: true };
  expect(await callBridge(dir, 'session.send', params)).toMatchObject({
    outcome: 'failed',
    code: 'claude_not_found',
    words: 'told: claude_not_found',
  });
});

test('a permission is decided once; the second answer hears the first', async () => {
  bridge.agent.onPrompt = (prompt, { key }) => {
    bridge.agent.take(key, prompt.turn);
    bridge.agent.report(key, {
      type: 'permission.ask',
      code: 'abcde',
      tool: 'Bash',
      input: { command: 'ls' },
      expires_at: Date.now() + 60_000,
    });
  };
  await callBridge(dir, 'session.send', { session: 's', text: 'hi', create: true, follow: false });
  const [ask] = await until('the question', async () => {
    const asks = await callBridge(dir, 'permission.list', {});
    return asks.length > 0 && asks;
  });
  expect(ask).toMatchObject({ code: 'abcde', session: 's', tool: 'Bash', input: { command: 'ls' } });
  const deny = { code: 'ABCDE', verdict: 'deny' as const, reason: 'not now' };
  expect(await callBridge(dir, 'permission.decide', deny)).toMatchObject({ verdict: 'deny', tool: 'Bash' });
  await until('the answer at the agent', () => bridge.agent.permissions[0]);
  expect(bridge.agent.permissions).toMatchObject([{ code: 'abcde', verdict: 'deny', reason: 'not now' }]);
  await expect(
    callBridge(dir, 'permission.decide', { code: 'abcde', verdict: 'allow' }),
  ).rejects.toMatchObject({
    code: 'already_answered',
    message: expect.stringContaining('`abcde` (Bash) was denied by the operator (pts/7: zsh).'),
  });
});

test.each([
  ['session.interrupt', { session: 's' }],
  ['session.stop', { session: 's' }],
  ['session.remove', { session: 's' }],
  ['permission.decide', { code: 'abcde', verdict: 'deny' }],
  ['session.send', { session: 's', text: 'more', create: false, follow: false }],
] as const)('%s answers once what it orders is on disk', async (method, params) => {
  bridge.agent.onPrompt = (prompt, { key }) => {
    bridge.agent.take(key, prompt.turn);
    const ask = { type: 'permission.ask', code: 'abcde', tool: 'Bash', input: {}, expires_at: 1e15 } as const;
    bridge.agent.report(key, ask);
  };
  await callBridge(dir, 'session.send', { session: 's', text: 'hi', create: true, follow: false });
  await until('the question', () => bridge.dispatcher.session('s')?.asks[0]);
  const disk = Promise.withResolvers<void>();
  control.journal.written = disk.promise;
  const before = control.journal.last;
  let answered = false;
  const done = callBridge(dir, method, params as never).then(() => {
    answered = true;
  });
  await until('the order', () => control.journal.last > before);
  // Another call on the same socket comes back meanwhile.
  await callBridge(dir, 'session.list', {});
  expect(answered).toBe(false);
  disk.resolve();
  await done;
});

test('a message that finds no room is refused in words, and is gone', async () => {
  control.journal.full = true;
  const message = { session: 's', text: 'hi', create: true, follow: false };
  await expect(callBridge(dir, 'session.send', message)).rejects.toMatchObject({
    code: 'disk_full',
    message: 'The disk is full, and nothing new is begun.',
  });
  expect(bridge.dispatcher.session('s')?.turns).toEqual([]);
});

test.each([
  ['session.inspect', { session: 'nobody' }, 'no_such_session', 'not_found'],
  ['session.stop', { session: 'nobody' }, 'no_such_session', 'not_found'],
  ['permission.decide', { code: 'zzzzz', verdict: 'allow' }, 'no_such_code', 'not_found'],
  ['session.inspect', { session: '' }, 'bad_request', 'usage'],
] as const)('%s with %j is refused as %s', async (method, params, code, exit) => {
  await expect(callBridge(dir, method, params as never)).rejects.toMatchObject({ code, exit });
});

test('a prefix that fits two sessions is refused with both names', async () => {
  for (const session of ['chat:a', 'chat:b']) {
    await callBridge(dir, 'session.send', { session, text: 'hi', create: true, follow: true });
  }
  await expect(callBridge(dir, 'session.stop', { session: 'chat:' })).rejects.toMatchObject({
    code: 'ambiguous',
    message: expect.stringMatching(/chat:a.*chat:b/),
  });
});

test('the beginning of a name removes nothing, also when one session alone has it', async () => {
  await callBridge(dir, 'session.send', { session: 'work1', text: 'hi', create: true, follow: true });
  for (const session of ['w', 'work', sessionId('work1').slice(0, 6)])
    await expect(callBridge(dir, 'session.remove', { session, keep: true })).rejects.toMatchObject({
      code: 'ambiguous',
      exit: 'usage',
      message: expect.stringContaining('(work1). Nothing was removed.'),
    });
  expect(bridge.dispatcher.session('work1')?.removed).toBe(false);
  await callBridge(dir, 'session.remove', { session: sessionId('work1'), keep: true });
  expect(bridge.dispatcher.session('work1')?.removed).toBe(true);
});

test('a session is found by its name, whole or by a beginning of it, and removed by the whole', async () => {
  for (const session of ['chat:a', 'chat:b'])
    await callBridge(dir, 'session.send', { session, text: 'hi', create: true, follow: true });
  const named = await callBridge(dir, 'session.rename', { session: 'chat:a', label: ' Weekly  notes ' });
  expect(named).toEqual({ session: 'chat:a', label: 'Weekly notes' });
  for (const session of ['Weekly notes', 'Week', 'Weekly  notes'])
    expect(await callBridge(dir, 'session.inspect', { session })).toMatchObject({
      key: 'chat:a',
      label: 'Weekly notes',
    });
  await expect(callBridge(dir, 'session.remove', { session: 'Weekly' })).rejects.toMatchObject({
    code: 'ambiguous',
    message: expect.stringContaining('(Weekly notes, chat:a). Nothing was removed.'),
  });
  await callBridge(dir, 'session.remove', { session: 'Weekly notes' });
  await expect(callBridge(dir, 'session.inspect', { session: 'Weekly notes' })).rejects.toMatchObject({
    code: 'no_such_session',
  });
  await callBridge(dir, 'session.rename', { session: 'chat:b', label: 'Weekly notes' });
  expect(await callBridge(dir, 'session.rename', { session: 'Weekly notes', label: null })).toEqual({
    session: 'chat:b',
    label: null,
  });
  await expect(callBridge(dir, 'session.inspect', { session: '' })).rejects.toMatchObject({
    code: 'bad_request',
  });
});

test('no name means another session already, and nothing is changed then', async () => {
  for (const session of ['chat:a', 'chat:b'])
    await callBridge(dir, 'session.send', { session, text: 'hi', create: true, follow: true });
  await callBridge(dir, 'session.rename', { session: 'chat:a', label: 'Notes' });
  const id = sessionId('chat:a');
  for (const label of ['notes', 'chat:A', 'chat:a', 'chat', id.slice(0, 4), id.slice(0, 4).toUpperCase()])
    await expect(callBridge(dir, 'session.rename', { session: 'chat:b', label })).rejects.toMatchObject({
      code: 'name_in_use',
      exit: 'usage',
      message: `"${label}" already means ${id} (Notes, chat:a).`,
    });
  await expect(callBridge(dir, 'session.rename', { session: 'chat:b', label: 'a\nb' })).rejects.toMatchObject(
    {
      code: 'bad_request',
      message: expect.stringContaining('more than one line'),
    },
  );
  expect((await callBridge(dir, 'session.inspect', { session: 'chat:b' })).label).toBeNull();
  await callBridge(dir, 'session.rename', { session: 'chat:a', label: 'notes' });
});

test('a key that comes later and reads like a name takes nothing from it: which is meant has to be said', async () => {
  await callBridge(dir, 'session.send', { session: 'chat:a', text: 'hi', create: true, follow: true });
  await callBridge(dir, 'session.rename', { session: 'chat:a', label: 'notes' });
  control.say('notes', 'hello');
  for (const method of ['session.inspect', 'session.remove'] as const)
    await expect(callBridge(dir, method, { session: 'notes' })).rejects.toMatchObject({
      code: 'ambiguous',
      message: `"notes" fits 2 sessions: ${sessionId('chat:a')} (notes, chat:a), ${sessionId('notes')} (notes).`,
    });
  expect((await callBridge(dir, 'session.inspect', { session: sessionId('notes') })).key).toBe('notes');
});

test('stopping a session that does not run says that its conversation is kept', async () => {
  await callBridge(dir, 'session.send', { session: 's', text: 'hi', create: true, follow: true });
  await callBridge(dir, 'session.stop', { session: 's' });
  await until('the end', () => bridge.dispatcher.session('s')?.agent.name === 'stopped');
  await expect(callBridge(dir, 'session.stop', { session: 's' })).rejects.toMatchObject({
    code: 'not_running',
    suggestion: expect.stringContaining('kept'),
  });
});

test('what is no request is answered with an error, and the server goes on', async () => {
  expect((await raw('not json\n')).error?.data.code).toBe('bad_request');
  expect((await raw('{"jsonrpc":"1.0","id":1,"method":"x"}\n')).error?.data.code).toBe('bad_request');
  expect((await raw('{"jsonrpc":"2.0","id":7,"method":"no.such"}\n')).error?.code).toBe(-32601);
  expect(await callBridge(dir, 'bridge.status', {})).toMatchObject({ status: 'healthy' });
});

test('whatever ends a Claude Code says how many agents of it were at work, and a session lists them', async () => {
  const begin = (task: string) =>
    bridge.agent.report('s', { type: 'task.begin', task, kind: 'agent', title: task, hook: 1 });
  await callBridge(dir, 'session.send', { session: 's', text: 'hi', create: true, follow: true });
  begin('tests');
  begin('docs');
  expect((await callBridge(dir, 'session.list', {}))[0]).toMatchObject({
    state: 'idle',
    agents: [{ title: 'tests' }, { title: 'docs' }],
  });
  expect(await callBridge(dir, 'bridge.stop', { keep: true })).toMatchObject({ agents: 0 });
  expect(await callBridge(dir, 'bridge.stop', {})).toMatchObject({ agents: 2 });
  expect(await callBridge(dir, 'session.restart', { session: 's' })).toMatchObject({ agents: 2 });
  expect(await callBridge(dir, 'session.restart', { session: 's' })).toMatchObject({ agents: 0 });
  begin('lint');
  expect(await callBridge(dir, 'session.stop', { session: 's' })).toEqual({ stopping: true, agents: 1 });
});

test('down is answered before the bridge stops', async () => {
  expect(await callBridge(dir, 'bridge.stop', {})).toEqual({ stopping: true, agents: 0 });
  await until('the stop', () => control.stops.length === 1);
});

test('without a bridge the client says so, with what to do', async () => {
  await control.hangUp();
  await expect(callBridge(dir, 'session.list', {})).rejects.toMatchObject({ exit: 'not_running' });
  rmSync(join(dir, 'bridge.json'));
  await expect(callBridge(dir, 'session.list', {})).rejects.toMatchObject({
    suggestion: expect.stringContaining('synthesis up'),
  });
});

test('waiting ends when nothing runs or waits any more, or with a timeout that interrupts nothing', async () => {
  bridge.agent.onPrompt = (prompt, { key }) => bridge.agent.take(key, prompt.turn);
  await callBridge(dir, 'session.send', { session: 's', text: 'one', create: true, follow: false });
  await callBridge(dir, 'session.send', { session: 's', text: 'two', create: false, follow: false });
  const turns = () => bridge.dispatcher.session('s')?.turns ?? [];
  await until('the first turn to run', () => turns()[0]?.phase.name === 'running');
  await expect(callBridge(dir, 'session.wait', { session: 's', timeout_ms: 1 })).rejects.toMatchObject({
    code: 'timeout',
    exit: 'timeout',
  });
  let idle = false;
  const waiting = callBridge(dir, 'session.wait', { session: 's' }).then((result) => {
    idle = true;
    return result;
  });
  bridge.agent.endTurn('s', turns()[0]?.id ?? '');
  await until('the second turn to run', () => turns()[1]?.phase.name === 'running');
  expect(idle).toBe(false);
  bridge.agent.endTurn('s', turns()[1]?.id ?? '');
  expect(await waiting).toEqual({ session: 's', idle: true, state: 'idle' });
});

test('whoever hangs up waits no longer', async () => {
  bridge.agent.onPrompt = (prompt, { key }) => bridge.agent.take(key, prompt.turn);
  await callBridge(dir, 'session.send', { session: 's', text: 'one', create: true, follow: false });
  await until('nobody to watch', () => !bridge.dispatcher.isWatched('s'));
  await withBridge(dir, async (connection) => {
    connection.call('session.wait', { session: 's' }).catch(() => {});
    await until('the wait', () => bridge.dispatcher.isWatched('s'));
  });
  await until('its end', () => !bridge.dispatcher.isWatched('s'));
});

test('a restart ends Claude Code, starts it again, and answers with the new process', async () => {
  await callBridge(dir, 'session.send', { session: 's', text: 'one', create: true, follow: true });
  expect(await callBridge(dir, 'session.restart', { session: 's' })).toMatchObject({
    restarted: true,
    pid: 1,
  });
  expect(bridge.agent.stopped).toEqual(['s']);
  const kinds = [...control.journal.read(0)].map(({ event }) => event.type);
  expect(kinds.slice(-5)).toEqual([
    'agent.stopping',
    'agent.exited',
    'agent.wanted',
    'agent.starting',
    'agent.ready',
  ]);
});

test('a restart that fails says why', async () => {
  await callBridge(dir, 'session.send', { session: 's', text: 'one', create: true, follow: true });
  bridge.agent.start = ({ key }) =>
    bridge.agent.report(key, { type: 'agent.exited', failure: 'folder_untrusted', detail: 'x' });
  await expect(callBridge(dir, 'session.restart', { session: 's' })).rejects.toMatchObject({
    code: 'start_failed',
    message: expect.stringContaining('folder_untrusted'),
  });
});

test('a question of Claude’s needs an answer, a request for permission takes none, and neither an allow by who was not shown it', async () => {
  const asks: [code: string, tool: string, input: object][] = [
    ['abcde', 'Bash', { command: 'ls' }],
    ['fghij', 'AskUserQuestion', { questions: [{ question: 'Which?', options: [{ label: 'one' }] }] }],
  ];
  bridge.agent.onPrompt = (prompt, { key }) => {
    bridge.agent.take(key, prompt.turn);
    for (const [code, tool, input] of asks) {
      const expires_at = Date.now() + 60_000;
      bridge.agent.report(key, { type: 'permission.ask', code, tool, input, expires_at });
    }
  };
  await callBridge(dir, 'session.send', { session: 's', text: 'hi', create: true, follow: false });
  await until('the questions', async () => (await callBridge(dir, 'permission.list', {})).length === 2);
  const allow = async (code: string, answer?: string) => {
    const { digest } = await callBridge(dir, 'permission.show', { code });
    const verdict = { code, verdict: 'allow' as const, shown: digest };
    return callBridge(dir, 'permission.decide', { ...verdict, ...(answer && { answer }) });
  };
  await expect(
    callBridge(dir, 'permission.decide', { code: 'abcde', verdict: 'allow' }),
  ).rejects.toMatchObject({ code: 'not_shown' });
  const other = { code: 'abcde', verdict: 'allow' as const, shown: '0123456789abcdef' };
  await expect(callBridge(dir, 'permission.decide', other)).rejects.toMatchObject({ code: 'not_shown' });
  await expect(allow('abcde', '1')).rejects.toMatchObject({ code: 'bad_request' });
  await expect(allow('fghij')).rejects.toMatchObject({
    code: 'bad_request',
    suggestion: expect.stringContaining('--answer'),
  });
  await allow('fghij', '1');
  await until('the answer at the agent', () => bridge.agent.permissions[0]);
  expect(bridge.agent.permissions).toMatchObject([{ code: 'fghij', verdict: 'allow', reason: '1' }]);
});

/** Clients that only sit there, and which of them were hung up on. */
async function sit(count: number) {
  const sockets = Array.from({ length: count }, () => connect(join(dir, 'c.sock')).on('error', () => {}));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const closed = () => sockets.map((socket) => socket.closed);
  return { sockets, closed, hangUp: () => sockets.forEach((socket) => void socket.destroy()) };
}
const listenWith = async (limits: Partial<ControlLimits>) => {
  await control.hangUp();
  control.limits = limits;
  await control.listen();
};

test('500 idle connections do not stay open: those that idle longest go, and a call goes on', async () => {
  const lasting = callBridge(dir, 'session.send', { session: 's', text: 'x', create: true, follow: true });
  const { sockets, closed, hangUp } = await sit(500);
  for (const socket of sockets) socket.resume();
  await until('most to be hung up on', () => closed().filter(Boolean).length === 500 - 64);
  expect(closed().lastIndexOf(true)).toBe(500 - 64 - 1);
  expect(await lasting).toMatchObject({ outcome: 'completed' });
  hangUp();
});

test('of 300 calls at once, each on a connection of its own, all are answered', async () => {
  const says = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'session.list', params: {} })}\n`;
  const to = { path: join(dir, 'c.sock') };
  expect(await manyClients({ to, count: 300, says, answer: /"(result|error)"/ })).toEqual({ result: 300 });
});

test('an idle connection is ended after a while, one on which a call runs is not', async () => {
  await listenWith({ idleMs: 50 });
  bridge.agent.onPrompt = () => {};
  const params = { session: 's', text: 'x', create: true, follow: true };
  const lasting = callBridge(dir, 'session.send', params);
  const { prompt } = await until('the prompt', () => bridge.agent.prompts[0]);
  const { sockets, closed } = await sit(3);
  for (const socket of sockets) socket.resume();
  await until('all to be hung up on', () => closed().every(Boolean));
  bridge.agent.take('s', prompt.turn);
  bridge.agent.endTurn('s', prompt.turn, 'done');
  expect(await lasting).toMatchObject({ outcome: 'completed' });
});

test('a connection to another machine lasts as long as both its ends, however quiet it is', async () => {
  const [near, far] = duplexPair();
  const none = () => Promise.reject(new Error('not asked for'));
  control.cluster = {
    view: none as never,
    servers: none,
    move: none,
    drain: none,
    forget: none,
    dial: async () => near,
  };
  await listenWith({ idleMs: 50, idle: 1 });
  const connection = await RpcConnection.open(join(dir, 'c.sock'));
  await connection.call('cluster.dial', { node: 'box' });
  // All that idle are hung up on meanwhile, and of two one at once.
  const { sockets, closed } = await sit(2);
  for (const socket of sockets) socket.resume();
  await until('those to be hung up on', () => closed().every(Boolean));
  far.once('data', (line) => {
    const { id, method } = JSON.parse(String(line));
    far.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: [method] })}\n`);
  });
  expect(await connection.call('session.list', {})).toEqual(['session.list']);
  far.destroy();
  await connection.closed;
});

test('beyond a total, connections are turned away', async () => {
  await listenWith({ connections: 2 });
  const { sockets, closed, hangUp } = await sit(4);
  for (const socket of sockets) socket.resume();
  await until('two to be turned away', () => closed().filter(Boolean).length === 2);
  hangUp();
});
