import { expect, test } from 'vitest';
import { succeeded } from '../../../src/domain/tools/tool-envelope.ts';
import { Envelope } from '../../../src/protocol/envelope.ts';
import { ProviderSeat } from './provider-seat.ts';

const text = (words: string) => ({ content: [{ type: 'text', text: words }] });
const idempotent = (peer: ProviderSeat['peer']) => {
  peer.tools = [{ name: 'echo', inputSchema: { type: 'object' }, annotations: { idempotentHint: true } }];
};

test('a result is wrapped, and says that all is well', async () => {
  const seat = await ProviderSeat.up();
  const envelope = await seat.call('notes_echo', { text: 'hi' });
  expect(Envelope.parse(envelope)).toEqual(envelope);
  expect(envelope).toMatchObject({ status: 'healthy', data: '{"text":"hi"}', error: null });
  expect(seat.peer.calls.map(({ params }) => params)).toEqual([{ name: 'echo', arguments: { text: 'hi' } }]);
});

test('a provider that is not well says so in each result', async () => {
  const seat = await ProviderSeat.up({}, (peer) => {
    peer.health = { status: 'degraded', reason: 'the index is old' };
  });
  const { status, data, error } = await seat.call('notes_echo', { text: 'hi' });
  expect({ status, data, error }).toMatchObject({
    status: 'degraded',
    data: '{"text":"hi"}',
    error: { code: 'PROVIDER_DEGRADED', message: 'notes answered, but the index is old.' },
  });
});

test('an envelope of the provider is passed on, with its own measure', async () => {
  const seat = await ProviderSeat.up();
  const own = succeeded([1], { query_time_ms: 7, chunks_scanned: 3 });
  seat.peer.onCall = () => ({ content: [], structuredContent: own });
  expect(await seat.call()).toEqual(own);
});

test('a call while it starts waits for it', async () => {
  const seat = new ProviderSeat();
  seat.peer.hangs = true;
  seat.host.start();
  const call = seat.call('notes_echo', { text: 'hi' });
  await seat.until('a second', () => seat.clock.now() > 1_000);
  seat.peer.wake();
  expect((await call).data).toBe('{"text":"hi"}');
});

test('arguments that do not fit reach no provider', async () => {
  const seat = await ProviderSeat.up();
  const { error } = await seat.call('notes_echo', { text: 5 });
  expect(error).toMatchObject({ code: 'INVALID_ARGUMENTS', recoverable: true });
  expect(error?.message).toContain('/text');
  expect(seat.peer.calls).toEqual([]);
});

test('a call that takes too long is taken back, and may have been done', async () => {
  const seat = await ProviderSeat.up({ timeoutMs: 5_000 });
  seat.peer.onCall = () => undefined;
  const call = seat.call();
  await seat.until('the call', () => seat.peer.calls.length > 0);
  seat.clock.advance(5_000);
  expect((await call).error).toMatchObject({
    code: 'TIMEOUT',
    message: 'notes did not answer notes_echo within 5000 ms.',
  });
  expect(seat.peer.cancelled).toEqual([seat.peer.calls[0]?.id]);
  expect(seat.host.lanes.running).toBe(0);
});

test('what is cancelled here is cancelled there', async () => {
  const seat = await ProviderSeat.up();
  seat.peer.onCall = () => undefined;
  const stop = new AbortController();
  const call = seat.call('notes_echo', {}, stop.signal);
  await seat.until('the call', () => seat.peer.calls.length > 0);
  stop.abort();
  expect((await call).error?.code).toBe('CANCELLED');
  expect(seat.peer.cancelled).toEqual([seat.peer.calls[0]?.id]);
});

test('a call that was cancelled before it began reaches nobody', async () => {
  const seat = await ProviderSeat.up();
  expect((await seat.call('notes_echo', {}, AbortSignal.abort())).error?.code).toBe('CANCELLED');
  expect(seat.peer.calls).toEqual([]);
});

test('more calls than it may have at a time wait, and more than may wait are refused', async () => {
  const seat = await ProviderSeat.up({ concurrency: 2, queue: 1 });
  const answers: (() => void)[] = [];
  seat.peer.onCall = ({ id }) => {
    answers.push(() => seat.peer.send({ id, result: text('done') }));
    return undefined;
  };
  const calls = [seat.call(), seat.call(), seat.call(), seat.call()];
  const refused = await calls[3];
  expect(refused?.error).toMatchObject({ code: 'PROVIDER_BUSY', recoverable: true });
  await seat.until('two calls', () => answers.length === 2);
  expect(seat.host.view).toMatchObject({ running: 2, waiting: 1 });
  for (const answer of answers.splice(0)) answer();
  await seat.until('the third', () => answers.length === 1);
  answers[0]?.();
  expect((await Promise.all(calls.slice(0, 3))).map(({ data }) => data)).toEqual(['done', 'done', 'done']);
});

test('a call that waited for its turn until it was too late was not done', async () => {
  const seat = await ProviderSeat.up({ concurrency: 1, timeoutMs: 1_000 });
  seat.peer.onCall = () => undefined;
  const [first, second] = [seat.call(), seat.call()];
  await seat.until('the first', () => seat.peer.calls.length > 0);
  seat.clock.advance(1_000);
  expect((await first)?.error?.code).toBe('TIMEOUT');
  expect((await second)?.error).toMatchObject({ code: 'PROVIDER_BUSY' });
  expect(seat.peer.calls).toHaveLength(1);
});

test('one that ends in the midst of a call has crashed, and what may have been done is not repeated', async () => {
  const seat = await ProviderSeat.up();
  seat.peer.onCall = () => {
    seat.peer.end('it was ended by SIGKILL');
    return undefined;
  };
  const { error } = await seat.call();
  expect(error).toMatchObject({
    code: 'PROVIDER_CRASHED',
    message: 'notes is gone: it was ended by SIGKILL.',
  });
  expect(seat.peer.calls).toHaveLength(1);
});

test('what does no harm is repeated once, with the provider that was started again', async () => {
  const seat = await ProviderSeat.up({}, idempotent);
  seat.peer.onCall = () => {
    if (seat.peer.calls.length > 1) return text('done');
    seat.peer.end('it was ended by SIGKILL');
    return undefined;
  };
  const call = seat.call();
  expect((await call).data).toBe('done');
  expect(seat.peer.calls).toHaveLength(2);
});

test('a repeat that fails as well is the end of it', async () => {
  const seat = await ProviderSeat.up({}, idempotent);
  seat.peer.onCall = () => {
    seat.peer.end('it ended with exit code 1');
    return undefined;
  };
  expect((await seat.call()).error?.code).toBe('PROVIDER_CRASHED');
  expect(seat.peer.calls).toHaveLength(2);
});

test('a failure that the table lets be repeated is, when the provider reports it itself', async () => {
  const seat = await ProviderSeat.up({}, idempotent);
  const error = { code: 'INDEXER_FAILED', message: 'x', recoverable: true, suggestion: 'y' };
  const failed = { ...succeeded(null), status: 'unavailable', error };
  seat.peer.onCall = () =>
    seat.peer.calls.length > 1 ? text('done') : { content: [], structuredContent: failed, isError: true };
  expect((await seat.call()).data).toBe('done');
});

test('one that is down refuses at once, and nothing was done', async () => {
  const seat = await ProviderSeat.up();
  seat.peer.refuses = 'notes was not found';
  seat.peer.end('it ended');
  const call = seat.call();
  await seat.becomes('unavailable');
  const { error, status } = await call;
  expect(status).toBe('unavailable');
  expect(error).toMatchObject({
    code: 'PROVIDER_UNAVAILABLE',
    message: 'notes cannot be used now: notes was not found.',
  });
});

test('a name that it does not have, and one that may not be used, are told apart', async () => {
  const seat = await ProviderSeat.up({}, (peer) => {
    peer.tools = [...peer.tools, { name: 'odd', inputSchema: { type: 'array' } }];
  });
  expect((await seat.call('nothing')).error).toMatchObject({
    code: 'NO_SUCH_TOOL',
    message: 'notes has no tool nothing.',
  });
  expect((await seat.call('odd')).error?.message).toBe(
    "notes has no tool odd that can be used: inputSchema.type is not 'object'.",
  );
});

test('a tool that was granted nothing says so', async () => {
  const seat = await ProviderSeat.up({ permissions: { other: ['net'] } });
  expect((await seat.call('echo')).error).toMatchObject({
    code: 'PERMISSION_MISSING',
    message: 'echo of notes: the configuration grants it no permission.',
  });
  expect(seat.peer.calls).toEqual([]);
});

test.each([
  [-32602, 'INVALID_ARGUMENTS'],
  [-32601, 'NO_SUCH_TOOL'],
  [-32603, 'TOOL_FAILED'],
])(
  'an error %i of the protocol is %s, in its words without what does not belong there',
  async (code, expected) => {
    const seat = await ProviderSeat.up({ env: { KEY: 'hunter22' } });
    const message =
      'no hunter22 in /home/alice/secret.txt\n    at Object.<anonymous> (/srv/app/index.js:3:9)\u001b[2J';
    seat.peer.onCall = () => ({ error: { code, message } });
    const { error } = await seat.call();
    expect(error?.code).toBe(expected);
    expect(error?.message).toMatch(/^no ‹secret› in/);
    expect(error?.message).not.toMatch(/alice|srv|\u001b/);
  },
);

test.each([
  ['no content', { nothing: true }],
  ['content that is none', { content: 'text' }],
])('a result with %s breaks the protocol', async (_what, result) => {
  const seat = await ProviderSeat.up();
  seat.peer.onCall = () => result;
  expect((await seat.call()).error?.code).toBe('PROVIDER_PROTOCOL');
});

test('a result that is too large keeps its ends', async () => {
  const seat = await ProviderSeat.up({ resultCharacters: 1_000 });
  seat.peer.onCall = () => text(`begin${'x'.repeat(5_000)}end`);
  const { error, data, status } = await seat.call();
  expect(status).toBe('degraded');
  expect(error?.code).toBe('RESULT_TOO_LARGE');
  expect(JSON.stringify(data)).toMatch(/begin.*end/);
  expect(JSON.stringify(data).length).toBeLessThanOrEqual(1_000);
});
