// What a token opens, and what whoever has none costs. Real HTTP on loopback, a real agent without a Claude Code.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { silentLog } from '../../../src/base/log.ts';
import { sameSecret } from '../../../src/base/secret.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { ClaudeAgent } from '../../../src/bridge/claude/claude-agent.ts';
import { createHttpServer, type HttpServer } from '../../../src/bridge/http/http-server.ts';
import { refusalOf } from '../../../src/bridge/ingress/openai/refusals.ts';
import { TokenBook } from '../../../src/bridge/tokens/token-book.ts';
import { channelDoor } from '../../../src/bridge/wiring/serve/channel-door.ts';
import { SmallBridge } from '../../support/small-bridge.ts';
import { tokenRecord } from '../../support/token-record.ts';
import { until } from '../../support/until.ts';
import { RawClient } from './support.ts';

const hi = { model: 'claude', messages: [{ role: 'user', content: 'hi' }] };

/** The doors of Claude Code, while none runs. */
class ClaudeDoors implements AsyncDisposable {
  readonly agent: ClaudeAgent;
  readonly #http: HttpServer;
  url = '';

  constructor() {
    const never = () => {
      throw new Error('nothing is started here');
    };
    this.agent = new ClaudeAgent({
      clock: systemClock,
      log: silentLog,
      report: never,
      reported: async () => {},
      claimCode: never,
      ownerOf: () => undefined,
      session: () => undefined,
      judge: never,
      joins: never,
      policed: false,
      loadHosts: never,
      stateDir: tmpdir(),
      baseUrl: '',
      claudeCommand: ['claude'],
      channelEntry: '',
      nodePath: process.execPath,
      env: {},
    });
    const agent = () => this.agent;
    this.#http = createHttpServer({
      frameBytes: 1000,
      refuse: refusalOf,
      failed: never,
      sockets: { '/bridge': channelDoor(agent) },
    });
  }

  static async open(): Promise<ClaudeDoors> {
    const doors = new ClaudeDoors();
    doors.url = `http://127.0.0.1:${await doors.#http.listen(0)}`;
    return doors;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.agent.close();
    await this.#http.close();
  }
}

/** The head of a POST whose body never comes. */
const head = (url: string, path: string, ...more: string[]) => [
  `POST ${path} HTTP/1.1`,
  `host: ${new URL(url).host}`,
  'content-type: application/json',
  'content-length: 1000',
  ...more,
  '',
  '',
];

describe('T11: a caller is judged by the head of its request', () => {
  test.each([
    ['/v1/chat/completions', 401],
    ['/v1/responses', 401],
    ['/v1/embeddings', 404],
    ['/hooks/Stop', 404],
    ['/elsewhere', 404],
  ])('%s answers %i without waiting for a body', async (path, status) => {
    await using bridge = await SmallBridge.start();
    for (const token of [[], ['authorization: Bearer guess']]) {
      const client = await RawClient.open(bridge.url);
      expect(await client.send(...head(bridge.url, path, ...token)).status()).toBe(status);
      client.socket.destroy();
    }
  });

  test('with a token, a body at the limit is read, and one byte more is refused as it is announced', async () => {
    await using bridge = await SmallBridge.start({ bodyBytes: 2000 });
    const body = (length: number) => JSON.stringify({ ...hi, pad: '' }).padEnd(length);
    expect((await bridge.post(body(2000))).status).toBe(200);
    expect((await bridge.post(body(2001))).status).toBe(413);
  });
});

test.each([
  ['text/plain', 415],
  ['application/x-www-form-urlencoded', 415],
  ['multipart/form-data; boundary=x', 415],
])('T2: POST needs application/json: with the token, %s is refused with %i', async (type, status) => {
  await using bridge = await SmallBridge.start();
  const response = await bridge.post(JSON.stringify(hi), { headers: { 'content-type': type } });
  expect([response.status, bridge.agent.prompts]).toEqual([status, []]);
});

test('who is refused hears whether a token was missing or wrong, and who comes while the bridge stops, when to come again', async () => {
  await using bridge = await SmallBridge.start();
  bridge.draining = true;
  const said = async (authorization: string) => {
    const response = await bridge.post(hi, { headers: { authorization } });
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    return [response.status, error.code, error.message];
  };
  const missing = [401, 'missing_api_key', expect.stringMatching(/^No bearer token was sent\./)];
  expect([await said(''), await said('Basic x')]).toEqual([missing, missing]);
  expect(await said('Bearer x')).toEqual([
    401,
    'invalid_api_key',
    expect.stringMatching(/^The bearer token is not/),
  ]);
  expect(await said(`Bearer ${bridge.token}`)).toEqual([
    503,
    expect.any(String),
    expect.stringContaining('The bridge is stopping.'),
  ]);
});

test('T4: a token in the address opens nothing', async () => {
  await using bridge = await SmallBridge.start();
  for (const query of ['token', 'access_token', 'api_key', 'authorization']) {
    const response = await bridge.post(hi, {
      path: `chat/completions?${query}=${bridge.token}`,
      headers: { authorization: '' },
    });
    expect([query, response.status]).toEqual([query, 401]);
  }
  expect(bridge.agent.prompts).toEqual([]);
});

describe('T5: secrets are compared in constant time', () => {
  const original = { hash: crypto.hash, timingSafeEqual: crypto.timingSafeEqual };
  let work: string[];
  beforeEach(() => {
    work = [];
    crypto.hash = ((...args: Parameters<typeof crypto.hash>) => {
      work.push('hash');
      return original.hash(...args);
    }) as typeof crypto.hash;
    crypto.timingSafeEqual = (left, right) => {
      work.push(`compare ${left.byteLength} ${right.byteLength}`);
      return original.timingSafeEqual(left, right);
    };
    syncBuiltinESMExports();
  });
  afterEach(() => {
    Object.assign(crypto, original);
    syncBuiltinESMExports();
  });
  const once = ['hash', 'hash', 'compare 32 32'];
  /** Wrong from the first character, right up to the last, of another length, empty, none. */
  const guesses = (secret: string) => [
    `x${secret.slice(1)}`,
    `${secret.slice(0, -1)}x`,
    secret.slice(0, 3),
    secret.repeat(20),
    '',
    undefined,
  ];

  test('the same work is done whatever is shown, and nothing but the secret equals it', () => {
    for (const given of [...guesses('secret'), 'secret']) {
      work = [];
      expect([given, sameSecret('secret', given)]).toEqual([given, given === 'secret']);
      expect([given, work]).toEqual([given, once]);
    }
    expect([sameSecret('', ''), sameSecret('', undefined)]).toEqual([true, false]);
  });

  test('the door of /v1 compares with every token that there is for every request, with a token, a wrong one, or none', async () => {
    await using bridge = await SmallBridge.start();
    bridge.draining = true;
    const [first, second] = ['syn_first_1', 'syn_second_2'];
    bridge.tokens = new TokenBook(bridge.token, [tokenRecord(first), tokenRecord(second)]);
    const all = ['hash', ...Array.from({ length: 3 }, () => 'compare 32 32')];
    const held = [bridge.token, first, second];
    for (const given of [...held.flatMap(guesses), ...held]) {
      work = [];
      const authorization = given === undefined ? '' : `Bearer ${given}`;
      const { status } = await bridge.post(hi, { headers: { authorization } });
      expect([given, status, work]).toEqual([given, given && held.includes(given) ? 503 : 401, all]);
    }
  });

  test('the door of /bridge does it, too, for a session that runs and for one that does not', async () => {
    await using doors = await ClaudeDoors.open();
    for (const token of ['guess', 'another guess'.repeat(30)]) {
      const socket = new WebSocket(`${doors.url.replace('http', 'ws')}/bridge`);
      await new Promise((resolve) => socket.once('open', resolve));
      work = [];
      socket.send(
        JSON.stringify({ type: 'hello', openclaw_session: 'k', claude_session: 'c', pid: 1, token }),
      );
      const code = await new Promise((resolve) => socket.once('close', resolve));
      // Of the session only the digest of its token is known, so that of the one that is shown is made first.
      expect([code, work]).toEqual([4404, ['hash', ...once]]);
    }
  });
});

describe('T12: connections that only sit there', () => {
  /** 200 of them, each after some bytes of a request. */
  const dribble = (url: string) =>
    Promise.all(
      Array.from({ length: 200 }, async (_, at) => {
        const client = await RawClient.open(url);
        const whole = head(url, '/v1/chat/completions', 'authorization: Bearer guess').join('\r\n');
        return client.send(whole.slice(0, at % 60));
      }),
    );

  test('200 dribbling ones leave room for a good client, and those beyond the limit are closed for newer ones', async () => {
    await using bridge = await SmallBridge.start({
      connections: { headersTimeout: 60_000, requestTimeout: 60_000 },
    });
    const slow = await dribble(bridge.url);
    expect((await bridge.post(hi)).status).toBe(200);
    const open = () => slow.filter(({ socket }) => !socket.closed).length;
    await until('the oldest to be closed', () => open() <= 64);
    for (const { socket } of slow) socket.destroy();
  });

  test('200 dribbling ones are all closed once their time is over', async () => {
    const connections = {
      headersTimeout: 100,
      requestTimeout: 100,
      connectionsCheckingInterval: 20,
      strangers: { most: 1000 },
    };
    await using bridge = await SmallBridge.start({ connections });
    const slow = await dribble(bridge.url);
    expect((await bridge.post(hi)).status).toBe(200);
    await Promise.all(slow.map((client) => client.closed()));
    expect(slow.every(({ socket }) => socket.closed)).toBe(true);
  });

  test('a body that never ends is given up, with the token, too', async () => {
    await using bridge = await SmallBridge.start({
      connections: { headersTimeout: 100, requestTimeout: 100, connectionsCheckingInterval: 20 },
    });
    const client = await RawClient.open(bridge.url);
    client.send(...head(bridge.url, '/v1/chat/completions', `authorization: Bearer ${bridge.token}`));
    await client.closed();
    expect(bridge.agent.prompts).toEqual([]);
  });

  test('whoever showed the token is never crowded out, and may wait for an answer as long as it takes', async () => {
    const connections = {
      headersTimeout: 500,
      requestTimeout: 500,
      connectionsCheckingInterval: 20,
      strangers: { most: 2, graceMs: 100 },
    };
    await using bridge = await SmallBridge.start({ connections });
    bridge.agent.onPrompt = (prompt, { key }) => bridge.agent.take(key, prompt.turn);
    const answer = bridge.post(hi, { headers: { 'x-synthesis-session': 's1' } });
    const { prompt } = await until('the prompt', () => bridge.agent.prompts[0]);
    const slow = await dribble(bridge.url);
    await Promise.all(slow.map((client) => client.closed()));
    bridge.agent.say('s1', prompt.turn, 'late but whole');
    bridge.agent.endTurn('s1', prompt.turn);
    expect(await (await answer).text()).toContain('late but whole');
  });
});

test('requests beyond the limit are asked to come back, before their body is read, and let in when there is room', async () => {
  await using bridge = await SmallBridge.start({ mostRequests: 2 });
  bridge.agent.onPrompt = (prompt, { key }) => bridge.agent.take(key, prompt.turn);
  const gone = new AbortController();
  const ask = (key: string) =>
    bridge.post(hi, { headers: { 'x-synthesis-session': key }, signal: gone.signal });
  const open = [ask('a'), ask('b')].map((response) => response.catch(() => undefined));
  await until('both', () => bridge.agent.prompts.length === 2);
  const client = await RawClient.open(bridge.url);
  const authorization = `authorization: Bearer ${bridge.token}`;
  expect(await client.send(...head(bridge.url, '/v1/chat/completions', authorization)).status()).toBe(503);
  client.socket.destroy();
  const refused = await bridge.post(hi);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await refused.text()).toContain('limits.openRequests');
  gone.abort();
  await Promise.all(open);
  await until('room', async () => (await bridge.post({})).status === 400);
});
