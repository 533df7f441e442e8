// Subscribers that read slowly, ask oddly, or leave.
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectBridge } from '../../../src/cli/client/control-client.ts';
import type { JournalRow } from '../../../src/protocol/events/events.ts';
import { until } from '../../support/until.ts';
import { SmallControl } from './small-control.ts';

let control: SmallControl;

beforeEach(async () => {
  control = await SmallControl.start();
});

afterEach(async () => {
  await control[Symbol.asyncDispose]();
});

/** Rows as an agent at work writes them. */
function work(count: number, size = 1000): void {
  const text = 'x'.repeat(size);
  for (let index = 0; index < count; index += 1) {
    control.journal.append('busy', [
      { type: 'answer.delta', turn: 't', message: 'm', index, text, final: false },
    ]);
  }
}

interface Message {
  id?: number;
  method?: string;
  params?: { row?: JournalRow; from?: number; to?: number; seq?: number };
}

/** A subscriber on a bare socket, which reads only when it is told to. */
class Lazy implements Disposable {
  readonly messages: Message[] = [];
  readonly #socket: Socket;
  #rest = '';

  constructor(params: object) {
    this.#socket = connect(control.path);
    this.#socket.on('error', () => undefined);
    const request = { jsonrpc: '2.0', id: 1, method: 'events.subscribe', params };
    this.#socket.write(`${JSON.stringify(request)}\n`);
  }

  read(): void {
    this.#socket.setEncoding('utf8').on('data', (text: string) => {
      const lines = (this.#rest + text).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) this.messages.push(JSON.parse(line) as Message);
    });
  }

  get seqs(): number[] {
    return this.messages.flatMap(({ params }) => (params?.row ? [params.row.seq] : []));
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }
}

test('a subscriber that does not read delays nobody, and gets every row when it does', async () => {
  using lazy = new Lazy({ from: 0 });
  using quick = new Lazy({ from: 0 });
  quick.read();
  await until('the mark', () => quick.messages.some(({ method }) => method === 'live'));
  for (let round = 0; round < 10; round += 1) {
    work(500);
    await until(`round ${round}`, () => quick.seqs.length === control.journal.last);
  }
  expect(lazy.messages).toEqual([]);
  lazy.read();
  await until('all rows', () => lazy.seqs.length === control.journal.last);
  expect(lazy.seqs).toEqual(quick.seqs);
  expect(lazy.messages.filter(({ method }) => method === 'gap')).toEqual([]);
});

test('with slow: skip it hears which rows are missing, and every row is either sent or in a gap', async () => {
  using lazy = new Lazy({ from: 0, slow: 'skip' });
  using quick = new Lazy({ from: 0 });
  quick.read();
  await until('the mark', () => quick.messages.some(({ method }) => method === 'live'));
  for (let round = 0; round < 12; round += 1) {
    work(500, 2000);
    await until(`round ${round}`, () => quick.seqs.length === control.journal.last);
  }
  lazy.read();
  await until('the last row', () => lazy.seqs.at(-1) === control.journal.last);
  let next = 1;
  let gaps = 0;
  for (const { method, params } of lazy.messages) {
    if (method === 'event') expect(params?.row?.seq).toBe(next++);
    if (method !== 'gap') continue;
    gaps += 1;
    expect(params?.from).toBe(next);
    next = (params?.to ?? 0) + 1;
  }
  expect(next - 1).toBe(control.journal.last);
  expect(gaps).toBeGreaterThan(0);
});

test('what is stored ends with a mark, and without follow with the call', async () => {
  work(600);
  const connection = await connectBridge(control.dir);
  const seen: string[] = [];
  const result = await connection.call(
    'events.subscribe',
    { from: 100, follow: false },
    { onNotification: (method) => seen.push(method) },
  );
  expect([result, seen.length, seen.at(-1)]).toEqual([{ seq: 600 }, 501, 'live']);
  connection.close();
});

test('a cancelled subscription answers, and its connection goes on', async () => {
  const connection = await connectBridge(control.dir);
  const end = new AbortController();
  const live = Promise.withResolvers<void>();
  const call = connection.call(
    'events.subscribe',
    {},
    { signal: end.signal, onNotification: () => live.resolve() },
  );
  await live.promise;
  end.abort();
  expect(await call).toEqual({ seq: 0 });
  expect(await connection.call('session.list', {})).toEqual([]);
  connection.close();
});

test('the last rows that are wanted are found from the end, however far that is', async () => {
  for (let n = 0; n < 3; n += 1) {
    control.journal.append('rare', [{ type: 'turn.running', turn: `t${n}` }]);
    work(400, 1);
  }
  const seen = async (about: object) => {
    using reader = new Lazy({ follow: false, ...about });
    reader.read();
    await until('its end', () => reader.messages.find(({ id }) => id === 1));
    return reader.seqs;
  };
  expect(await seen({ last: 2 })).toEqual([1_202, 1_203]);
  expect(await seen({ last: 2, types: ['turn.*'] })).toEqual([402, 803]);
  expect(await seen({ last: 99, types: ['turn.running'] })).toEqual([1, 402, 803]);
  expect(await seen({ last: 0 })).toEqual([]);
});

test.each([
  [{ from: 1, since: 1 }, 'bad_request'],
  [{ from: 1, last: 1 }, 'bad_request'],
  [{ from: 1_000 }, 'no_such_row'],
  [{ from: -1 }, 'bad_request'],
  [{ types: [] }, 'bad_request'],
  [{ session: 'nobody' }, 'no_such_session'],
] as const)('a subscription with %j is refused as %s', async (params, code) => {
  const connection = await connectBridge(control.dir);
  await expect(connection.call('events.subscribe', params as never)).rejects.toMatchObject({ code });
  connection.close();
});

test('one connection runs at most 256 calls at once, and each id names one of them', async () => {
  const socket = connect(control.path);
  const replies: { id: number; error?: { data: { code: string } } }[] = [];
  let rest = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line);
      if (message.id !== undefined) replies.push(message);
    }
  });
  const ask = (id: number) =>
    socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'events.subscribe', params: {} })}\n`);
  for (let id = 1; id <= 256; id += 1) ask(id);
  ask(1);
  ask(257);
  await until('two refusals', () => replies.length === 2);
  expect(replies.map(({ error }) => error?.data.code)).toEqual(['bad_request', 'too_many_calls']);
  socket.destroy();
});

test('a snapshot and the rows after it give the state of the bridge', async () => {
  const { Board } = await import('../../../src/domain/views/session/board.ts');
  control.say('a', 'one');
  control.bridge.agent.onPrompt = (prompt, session) => {
    control.bridge.agent.take(session.key, prompt.turn);
    // The second piece before the first: it waits in the answer.
    control.bridge.agent.say(session.key, prompt.turn, 'world', 'm', 1);
  };
  control.say('b', 'two');
  await until(
    'the waiting piece',
    () => control.bridge.dispatcher.session('b')?.turns[0]?.answer.messages[0],
  );
  const connection = await connectBridge(control.dir);
  const board = new Board((key) => key);
  board.reset(await connection.call('session.snapshot', {}));
  const { seq } = board;
  const turn = board.turns('b')[0]?.id ?? '';
  control.bridge.agent.say('b', turn, 'hello ', 'm', 0);
  control.bridge.agent.endTurn('b', turn);
  await connection.call(
    'events.subscribe',
    { from: seq, follow: false },
    { onNotification: (method, params) => method === 'event' && board.apply(params.row as JournalRow) },
  );
  expect(board.turns('b')).toMatchObject([{ answer: 'hello world', phase: 'completed' }]);
  const rows = await connection.call('session.list', {});
  expect(board.rows()).toEqual(rows.map((row) => ({ ...row, id: row.key })));
  connection.close();
});
