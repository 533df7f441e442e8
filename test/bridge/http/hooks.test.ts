// The door of the hooks, over real HTTP: whose they are, what each is answered with, and what Claude Code notices of it.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { systemClock } from '../../../src/base/clock.ts';
import { jsonLog } from '../../../src/base/log.ts';
import { ChannelServer } from '../../../src/bridge/claude/channel-server.ts';
import { admitHook } from '../../../src/bridge/claude/hook-admission.ts';
import type { HookClient } from '../../../src/bridge/claude/permission-ask.ts';
import { createHttpServer, type HttpServer } from '../../../src/bridge/http/http-server.ts';
import { refusalOf } from '../../../src/bridge/ingress/openai/refusals.ts';
import { channelDoor, hookRoutes } from '../../../src/bridge/wiring/claude-doors.ts';
import { until } from '../../support/until.ts';
import { RawClient } from './support.ts';

/** What a door needs of a Claude Code that runs. */
class Run {
  readonly token: string;
  readonly hooks = new Set<object>();
  readonly got: { event: string; body: unknown; client: HookClient }[] = [];
  /** Tests replace it. */
  answer: () => object | Promise<object> = () => ({ by: this.token });

  constructor(token: string) {
    this.token = token;
  }

  async hook(event: string, body: unknown, client: HookClient): Promise<object> {
    this.got.push({ event, body, client });
    return this.answer();
  }
}

let runs: Run[];
let lines: string[];
let isUp: boolean;
let proved: Socket[];
let http: HttpServer;
let url: string;

beforeEach(async () => {
  runs = [new Run('first'), new Run('second'), new Run('third')];
  lines = [];
  isUp = true;
  proved = [];
  const log = jsonLog({ write: (line) => lines.push(line), wall: () => 0, level: 'debug' });
  const channels = new ChannelServer({ clock: systemClock, log, find: () => undefined });
  const agent = () =>
    isUp ? { channels, admitHook: (token: string | undefined) => admitHook(runs, token, log) } : undefined;
  http = createHttpServer({
    bodyBytes: 1000,
    frameBytes: 1000,
    refuse: refusalOf,
    sockets: { '/bridge': channelDoor(agent) },
  });
  const prove = (socket: Socket) => {
    proved.push(socket);
    http.proved(socket);
  };
  const doors = { log, agent, proved: prove };
  http.app.register(async (app) => hookRoutes(app, doors), { prefix: '/hooks' });
  url = `http://127.0.0.1:${await http.listen(0)}`;
});
afterEach(() => http.close());

const post = (
  token: string | undefined,
  {
    body = '{"n":1}',
    event = 'Stop',
    type = 'application/json',
    signal,
  }: { body?: string; event?: string; type?: string; signal?: AbortSignal } = {},
) =>
  fetch(`${url}/hooks/${event}`, {
    method: 'POST',
    body,
    headers: { 'content-type': type, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    ...(signal && { signal }),
  });
const said = async (response: Promise<Response>) => {
  const got = await response;
  return [got.status, await got.json()] as const;
};
const reached = () => runs.map(({ got }) => got.length);
const logged = () => lines.map((line) => JSON.parse(line) as { level: string; message: string });

describe('a hook', () => {
  test('reaches the Claude Code whose token it shows, with its event and its body, and that one’s answer comes back', async () => {
    for (const [at, { token }] of runs.entries()) {
      expect(await said(post(token, { event: `Event${at}` }))).toEqual([200, { by: token }]);
      expect(runs[at]?.got).toMatchObject([{ event: `Event${at}`, body: { n: 1 } }]);
    }
    expect(reached()).toEqual([1, 1, 1]);
    expect(proved).toHaveLength(3);
  });

  test.each([undefined, '', 'guess', 'firs', 'first2', 'first second'])(
    'with the token %j is refused, and reaches nobody',
    async (token) => {
      expect(await said(post(token))).toEqual([401, {}]);
      expect([reached(), proved]).toEqual([[0, 0, 0], []]);
    },
  );

  test.each(['first', 'Basic first', 'Bearer', 'xBearer first', 'Bearer  first', ''])(
    'whose Authorization is %j is refused',
    async (authorization) => {
      const response = await fetch(`${url}/hooks/Stop`, {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json', authorization },
      });
      expect([response.status, reached()]).toEqual([401, [0, 0, 0]]);
    },
  );

  test('is asked to come later while the bridge does not know its port', async () => {
    isUp = false;
    expect(await said(post('first'))).toEqual([503, {}]);
    expect(proved).toEqual([]);
  });

  test('that fails is answered all the same, so that Claude Code goes on, and a tool nobody could judge does not run', async () => {
    const broken = () => {
      throw new Error('broken');
    };
    for (const run of runs) run.answer = broken;
    expect((await said(post('first')))[1]).toEqual({});
    expect(await said(post('first', { event: 'PreToolUse' }))).toMatchObject([
      200,
      { hookSpecificOutput: { permissionDecision: 'deny' } },
    ]);
    expect(logged()).toMatchObject([
      { level: 'error', message: 'hook failed', event: 'Stop', error: { message: 'broken' } },
      { level: 'error', event: 'PreToolUse' },
    ]);
  });
});

describe('a hook that cannot be read', () => {
  test.each([
    ['is no JSON', '{', 'application/json', 400],
    ['is plain text', '{}', 'text/plain', 415],
    ['is a form', 'a=b', 'application/x-www-form-urlencoded', 415],
  ])(
    'because it %s is refused, and logged as one that Claude Code goes on without',
    async (_, body, type, status) => {
      expect(await said(post('first', { body, type }))).toEqual([status, {}]);
      expect(reached()).toEqual([0, 0, 0]);
      expect(logged()).toMatchObject([
        {
          level: 'warn',
          message: 'a hook could not be read; Claude Code goes on without an answer',
          path: '/hooks/Stop',
        },
      ]);
      expect(runs[0]?.hooks.size).toBe(0);
    },
  );

  test('because of its size is one above 8 MiB: a hook of Edit carries the whole file twice', async () => {
    const most = 8 * 1024 * 1024;
    const body = (length: number) => `"${'x'.repeat(length - 2)}"`;
    expect((await post('first', { body: body(most) })).status).toBe(200);
    expect((await post('first', { body: body(most + 1) })).status).toBe(413);
    expect(reached()).toEqual([1, 0, 0]);
  });
});

describe('a hook that waits for somebody', () => {
  test('is told that its client is gone, and when its answer was written', async () => {
    const answer = Promise.withResolvers<object>();
    for (const run of runs) run.answer = () => answer.promise;
    const gone = new AbortController();
    const left = post('first', { signal: gone.signal }).catch(() => 'gone');
    const stays = post('second');
    const [leaving, staying] = await until('both', () => {
      const [one, two] = runs.flatMap(({ got }) => got);
      return one && two && ([one.client, two.client] as const);
    });
    const written: string[] = [];
    leaving.onWritten(() => written.push('leaving'));
    staying.onWritten(() => written.push('staying'));
    expect([leaving.signal.aborted, staying.signal.aborted]).toEqual([false, false]);
    gone.abort();
    await until('the end of the first', () => leaving.signal.aborted);
    expect([await left, staying.signal.aborted]).toEqual(['gone', false]);
    answer.resolve({ late: true });
    expect(await (await stays).json()).toEqual({ late: true });
    await until('the second to be written', () => written.length > 0);
    expect(written).toEqual(['staying']);
  });

  test('counts: the sixty-fifth of one Claude Code is asked to come back, another’s is let in', async () => {
    const answer = Promise.withResolvers<object>();
    for (const run of runs) run.answer = () => answer.promise;
    const [first] = runs;
    const held = Array.from({ length: 64 }, () => post('first'));
    await until('all of them', () => first?.got.length === 64);
    const more = await post('first');
    expect([more.status, more.headers.get('retry-after'), await more.json()]).toEqual([429, '1', {}]);
    expect(first?.got).toHaveLength(64);
    // It showed the token: it is crowded out, but no stranger.
    expect(proved).toHaveLength(65);
    const other = post('second');
    await until('the other', () => runs[1]?.got.length === 1);
    answer.resolve({});
    await Promise.all([...held, other]);
    await until('room', () => first?.hooks.size === 0);
    expect((await post('first')).status).toBe(200);
  });

  test('has left when its connection ends before its body came', async () => {
    const client = await RawClient.open(url);
    client.send(
      'POST /hooks/Stop HTTP/1.1',
      `host: ${new URL(url).host}`,
      'authorization: Bearer first',
      'content-type: application/json',
      'content-length: 9',
      '',
      '',
    );
    await until('the pass', () => runs[0]?.hooks.size === 1);
    client.socket.destroy();
    await until('it to leave', () => runs[0]?.hooks.size === 0);
    expect(reached()).toEqual([0, 0, 0]);
  });
});

test('a channel is hung up on while the bridge does not know its port, and else is asked whose it is', async () => {
  const connect = async () => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/bridge`);
    socket.on('error', () => {});
    await once(socket, 'open');
    return socket;
  };
  const known = await connect();
  known.send('hello');
  expect((await once(known, 'close'))[0]).toBe(4400);
  isUp = false;
  expect((await once(await connect(), 'close'))[0]).toBe(1006);
});
