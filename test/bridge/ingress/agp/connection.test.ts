import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { type TokenSource, tokenSource } from '../../../../src/base/files/token-source.ts';
import { jsonLog } from '../../../../src/base/log.ts';
import { AgpConnection, type ConnectionOptions } from '../../../../src/bridge/ingress/agp/connection.ts';
import {
  type AgpSocket,
  type AgpSocketEvents,
  dialGateway,
} from '../../../../src/bridge/ingress/agp/dial.ts';
import { AgpGateway } from '../../../support/agp-gateway.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { until } from '../../../support/until.ts';

interface Dialled {
  url: string;
  events: AgpSocketEvents;
  pings: string[];
  closed: boolean;
}

const secret = 'top secret/+&=?';
let clock: ManualClock;
let dials: Dialled[];
let lines: string[];
let told: string[];
let token: TokenSource;

beforeEach(() => {
  clock = new ManualClock();
  dials = [];
  lines = [];
  told = [];
  token = () => ({ ok: true, token: secret });
});

function connection(more: Partial<ConnectionOptions> = {}): AgpConnection {
  return new AgpConnection({
    url: 'wss://gateway.example/agentwss?account=2',
    token: () => token(),
    reconnectMs: 3_000,
    maxAttempts: 0,
    heartbeatMs: 20_000,
    clock,
    random: () => 0,
    log: jsonLog({ write: (line) => lines.push(line), wall: clock.wall.bind(clock), level: 'debug' }),
    dial: (url, events) => {
      const dialled: Dialled = { url, events, pings: [], closed: false };
      dials.push(dialled);
      const socket: AgpSocket = {
        send: () => {},
        ping: (payload) => dialled.pings.push(payload),
        close: () => {
          dialled.closed = true;
        },
      };
      return socket;
    },
    handlers: {
      opened: () => told.push('opened'),
      text: (text) => told.push(text),
      pong: (payload) => told.push(`pong ${payload}`),
      ping: () => told.push('ping'),
      lost: () => told.push('lost'),
      changed: ({ state }) => told.push(state),
    },
    ...more,
  });
}

const last = (): Dialled => {
  const dialled = dials.at(-1);
  if (!dialled) throw new Error('nothing was dialled');
  return dialled;
};
const fail = () => last().events.closed({ code: 1006, reason: 'connect ECONNREFUSED' });

describe('states', () => {
  test('disconnected, connecting, connected, reconnecting, connected', () => {
    const link = connection();
    expect(link.status().state).toBe('disconnected');
    link.start();
    link.start();
    expect(link.status().state).toBe('connecting');
    last().events.open();
    expect(link.status()).toMatchObject({ state: 'connected', reason: null, attempt: 0 });
    fail();
    expect(link.status()).toMatchObject({
      state: 'reconnecting',
      reason: 'closed with 1006: connect ECONNREFUSED',
      attempt: 1,
    });
    clock.advance(3_000);
    expect(link.status().state).toBe('reconnecting');
    last().events.open();
    link.close();
    link.close();
    expect(told).toEqual([
      'connecting',
      'connected',
      'opened',
      'reconnecting',
      'lost',
      'connected',
      'opened',
      'disconnected',
      'lost',
    ]);
    expect(dials).toHaveLength(2);
    expect(clock.timers).toBe(0);
  });

  test('a first attempt that fails is followed by more', () => {
    const link = connection();
    link.start();
    fail();
    expect(link.status().state).toBe('reconnecting');
    expect(told).toEqual(['connecting', 'reconnecting']);
  });

  test('events of a socket that was left are ignored', () => {
    connection().start();
    const old = last();
    old.events.open();
    fail();
    clock.advance(3_000);
    told = [];
    old.events.text('ghost');
    old.events.pong('1');
    old.events.open();
    old.events.closed({ code: 1000, reason: '' });
    expect(told).toEqual([]);
  });

  test('a dial that hangs is given up after 20 s', () => {
    const link = connection();
    link.start();
    clock.advance(20_000);
    expect(link.status().reason).toBe('no connection within 20 s');
    expect(last().closed).toBe(true);
  });
});

describe('reconnecting', () => {
  test('waits 3 s, then 1.5 times as long each time, 25 s at most', () => {
    connection().start();
    const waits: number[] = [];
    for (let n = 1; n <= 9; n += 1) {
      fail();
      const { length } = dials;
      let waited = 0;
      for (; dials.length === length; waited += 125) clock.advance(125);
      waits.push(waited);
    }
    expect(waits).toEqual([3_000, 4_500, 6_750, 10_125, 15_250, 22_875, 25_000, 25_000, 25_000]);
  });

  test('takes up to a fifth off at random', () => {
    connection({ random: () => 0.999_999 }).start();
    fail();
    clock.advance(2_400);
    expect(dials).toHaveLength(1);
    clock.advance(1);
    expect(dials).toHaveLength(2);
  });

  test('starts over after a connection that held for 10 s, not after a flapping one', () => {
    const link = connection();
    link.start();
    last().events.open();
    clock.advance(9_999);
    fail();
    clock.advance(3_000);
    last().events.open();
    clock.advance(9_999);
    fail();
    expect(link.status().attempt).toBe(2);
    clock.advance(4_500);
    last().events.open();
    clock.advance(10_000);
    fail();
    expect(link.status().attempt).toBe(1);
  });

  test('starts over after a short connection, too, if a prompt came over it', () => {
    const link = connection();
    link.start();
    for (let n = 0; n < 5; n += 1) {
      fail();
      clock.advance(25_000);
    }
    last().events.open();
    link.useful();
    fail();
    expect(link.status().attempt).toBe(1);
  });

  test('ends after the configured number of attempts', () => {
    const link = connection({ maxAttempts: 3 });
    link.start();
    for (let n = 0; n < 4; n += 1) {
      fail();
      clock.advance(25_000);
    }
    expect(dials).toHaveLength(4);
    expect(link.status()).toMatchObject({ state: 'disconnected' });
    expect(link.status().reason).toContain('given up after 3 attempts');
    clock.advance(3_600_000);
    expect(dials).toHaveLength(4);
    link.close();
    expect(clock.timers).toBe(0);
  });
});

describe('heartbeat', () => {
  test('pings every 20 s and stays while pongs come', () => {
    const link = connection();
    link.start();
    last().events.open();
    for (let n = 0; n < 5; n += 1) {
      clock.advance(20_000);
      last().events.pong(String(n));
    }
    expect(told.filter((each) => each === 'ping')).toHaveLength(5);
    expect(link.status().state).toBe('connected');
  });

  test('takes a ping that is unanswered when the next is due for the end', () => {
    const link = connection();
    link.start();
    last().events.open();
    clock.advance(39_999);
    expect(link.status().state).toBe('connected');
    clock.advance(1);
    expect(link.status()).toMatchObject({
      state: 'reconnecting',
      reason: 'the gateway did not answer a ping',
    });
    expect(last().closed).toBe(true);
  });
});

describe('the token', () => {
  test('is in the dialled URL, beside what was there, and in no log line', () => {
    connection().start();
    const url = new URL(last().url);
    expect(url.searchParams.get('token')).toBe(secret);
    expect(url.searchParams.get('account')).toBe('2');
    last().events.open();
    const encoded = url.search.slice(url.search.indexOf('token=') + 6);
    last().events.closed({
      code: 4000,
      reason: `bad ${secret} in ${encoded} and ${encodeURIComponent(secret)}`,
    });
    expect(lines.length).toBeGreaterThan(2);
    const all = lines.join('');
    for (const form of [secret, JSON.stringify(secret).slice(1, -1), encoded, encodeURIComponent(secret)])
      expect(all).not.toContain(form);
  });

  test.each([
    ['401', { code: 1006, reason: '', status: 401 }],
    ['403', { code: 1006, reason: '', status: 403 }],
    ['close code 4401', { code: 4401, reason: 'no' }],
  ])('refused with %s is not tried again, a renewed one is', (_what, end) => {
    const link = connection();
    link.start();
    last().events.closed(end);
    expect(link.status()).toMatchObject({ state: 'disconnected', reason: 'the gateway refused the token' });
    clock.advance(3_600_000);
    expect(dials).toHaveLength(1);
    token = () => ({ ok: true, token: 'renewed' });
    clock.advance(25_000);
    expect(new URL(last().url).searchParams.get('token')).toBe('renewed');
  });

  test('any other status is a failed attempt', () => {
    const link = connection();
    link.start();
    last().events.closed({ code: 1006, reason: '', status: 503 });
    expect(link.status()).toMatchObject({
      state: 'reconnecting',
      reason: 'the gateway answered with HTTP 503',
    });
  });

  test('that cannot be read stops the connection with the reason, until it can', () => {
    token = () => ({ ok: false, words: 'no file' });
    const link = connection();
    link.start();
    expect(link.status()).toMatchObject({ state: 'disconnected', reason: 'there is no token: no file' });
    token = () => ({ ok: true, token: 'there' });
    clock.advance(25_000);
    expect(dials).toHaveLength(1);
  });

  test('is read from a file that is private, and from no other', () => {
    const dir = mkdtempSync(join(tmpdir(), 'synthesis-token-'));
    const file = join(dir, 'token');
    try {
      writeFileSync(file, ' abc \n', { mode: 0o600 });
      const read = tokenSource({ tokenFile: file });
      expect(read()).toEqual({ ok: true, token: 'abc' });
      chmodSync(file, 0o640);
      expect(read()).toMatchObject({ ok: false, words: expect.stringContaining('chmod 600') });
      chmodSync(file, 0o600);
      writeFileSync(file, '');
      expect(read()).toMatchObject({ ok: false });
      symlinkSync(file, join(dir, 'link'));
      expect(tokenSource({ tokenFile: join(dir, 'link') })()).toMatchObject({ ok: false });
      expect(tokenSource({ tokenFile: join(dir, 'none') })()).toMatchObject({
        ok: false,
        words: expect.stringContaining('ENOENT'),
      });
    } finally {
      rmSync(dir, { recursive: true });
    }
  });
});

describe('a real gateway', () => {
  test('that refuses the token is not bothered again, and the token is where the protocol wants it', async () => {
    await using gateway = await AgpGateway.start({ token: 'right' });
    token = () => ({ ok: true, token: 'wrong' });
    const link = connection({ url: gateway.url, dial: dialGateway });
    link.start();
    await until('the refusal', () => link.status().state === 'disconnected');
    expect(gateway.tokens).toEqual(['wrong']);
    token = () => ({ ok: true, token: 'right' });
    clock.advance(25_000);
    await until('the connection', () => link.status().state === 'connected');
    link.close();
    await until('the end', () => gateway.live === 0);
  });

  test('that redirects is not followed: the token stays here', async () => {
    await using gateway = await AgpGateway.start({ refuse: 302 });
    const link = connection({ url: gateway.url, dial: dialGateway });
    link.start();
    await until('the answer', () => link.status().reason === 'the gateway answered with HTTP 302');
    link.close();
  });

  test('that sends more than a frame may hold loses the connection, not the bridge', async () => {
    await using gateway = await AgpGateway.start();
    const link = connection({ url: gateway.url, dial: dialGateway });
    link.start();
    await gateway.connected();
    await until('the connection', () => link.status().state === 'connected');
    gateway.raw('x'.repeat(1_048_577));
    await until('the loss', () => link.status().state === 'reconnecting');
    link.close();
  });
});
