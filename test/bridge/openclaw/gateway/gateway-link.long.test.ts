// The connection to OpenClaw's gateway: how it greets, waits, and comes back.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { silentLog } from '../../../../src/base/log.ts';
import { GatewayLink } from '../../../../src/bridge/openclaw/gateway/gateway-link.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { OpenClawGateway } from '../../../support/openclaw-gateway.ts';
import { until } from '../../../support/until.ts';

let clock: ManualClock;
let gateway: OpenClawGateway;
let token: string;
let links: GatewayLink[];

beforeEach(async () => {
  clock = new ManualClock();
  gateway = await OpenClawGateway.start();
  token = gateway.token;
  links = [];
});

afterEach(async () => {
  for (const link of links) link.close();
  await gateway[Symbol.asyncDispose]();
  expect(gateway.faults).toEqual([]);
});

function dialled(url = gateway.url): GatewayLink {
  const link = new GatewayLink({
    url: url.replace('http', 'ws'),
    token: () => (token === '' ? { ok: false, words: 'the file is empty' } : { ok: true, token }),
    version: '0.0.0',
    clock,
    log: silentLog,
    up: () => {},
    changed: () => {},
  });
  links.push(link);
  link.start();
  return link;
}

const becomes = (link: GatewayLink, state: string) => until(state, () => link.status.state === state);

async function later(what: string, probe: () => boolean): Promise<void> {
  await until(what, () => {
    clock.advance(1_000);
    return probe();
  });
}

test('a gateway that is not there is tried again, and reached when it comes', async () => {
  await gateway.stop();
  const link = dialled();
  await becomes(link, 'reconnecting');
  expect(link.status.reason).toContain('ECONNREFUSED');
  await expect(link.call('send', {}, 1_000)).rejects.toMatchObject({ code: 'down' });
  await later('a second attempt', () => link.status.attempt >= 2);
  await gateway.listen();
  await later('the connection', () => link.status.state === 'connected');
  expect(link.status).toMatchObject({ attempt: 0, reason: null });
});

test('a gateway that was reached and then refuses is lost again at each look, and found at one when it is back', async () => {
  const link = dialled();
  await becomes(link, 'connected');
  expect(link.lostAt).toBeUndefined();
  await gateway.stop();
  await becomes(link, 'reconnecting');
  const lostAt = link.lostAt;
  expect(lostAt).toBe(clock.now());
  const { attempt } = link.status;
  clock.advance(100);
  link.look();
  await until('the failed look', () => link.status.attempt > attempt);
  expect(link.lostAt).toBe(clock.now());
  await gateway.listen();
  clock.advance(100);
  link.look();
  await becomes(link, 'connected');
  expect(link.lostAt).toBe(clock.now() - 100);
});

test('an address where no gateway was ever reached loses none', async () => {
  await gateway.stop();
  const link = dialled();
  await becomes(link, 'reconnecting');
  link.look();
  await until('a second attempt', () => link.status.attempt >= 2);
  expect(link.lostAt).toBeUndefined();
});

test('a refused token is said, and not tried again until it changes or five minutes have passed', async () => {
  token = 'wrong';
  const link = dialled();
  await becomes(link, 'disconnected');
  expect(link.status.reason).toContain('token mismatch');
  for (let step = 0; step < 290; step += 1) {
    clock.advance(1_000);
    await setImmediate();
  }
  expect(gateway.tokens).toEqual(['wrong']);
  await later('another attempt', () => gateway.tokens.length === 2);
  await becomes(link, 'disconnected');
  token = gateway.token;
  await later('the connection', () => link.status.state === 'connected');
});

test('a token that cannot be read is said, and read again', async () => {
  token = '';
  const link = dialled();
  expect(link.status).toMatchObject({ state: 'reconnecting', reason: 'the file is empty' });
  token = gateway.token;
  await later('the connection', () => link.status.state === 'connected');
});

test('whoever waits for an answer when the connection breaks is told that it may have been done', async () => {
  gateway.mute.add('send');
  const link = dialled();
  await becomes(link, 'connected');
  const call = link.call('send', {}, 60_000);
  await setImmediate();
  gateway.cut();
  await expect(call).rejects.toMatchObject({ code: 'lost' });
  await later('the return', () => link.status.state === 'connected');
});

test('an answer that does not come in time, and a refusal, are told apart', async () => {
  gateway.mute.add('plugin.approval.list');
  const link = dialled();
  await becomes(link, 'connected');
  const silent = link.call('plugin.approval.list', {}, 5_000);
  const refused = link.call('plugin.approval.waitDecision', { id: 'nothing' }, 5_000);
  await expect(refused).rejects.toMatchObject({ code: 'refused', message: 'approval expired or not found' });
  clock.advance(5_000);
  await expect(silent).rejects.toMatchObject({ code: 'timeout' });
});

test('closing ends everything, twice', async () => {
  gateway.mute.add('send');
  const link = dialled();
  await becomes(link, 'connected');
  const call = link.call('send', {}, 60_000);
  link.close();
  link.close();
  await expect(call).rejects.toMatchObject({ code: 'lost' });
  expect(link.status.state).toBe('disconnected');
  expect(clock.timers).toBe(0);
});

/** A server that says what a test wants. */
async function server(options: object, onSocket: (socket: WebSocket) => void): Promise<WebSocketServer> {
  const wss = new WebSocketServer({ host: '127.0.0.1', port: 0, ...options });
  wss.on('connection', onSocket);
  await once(wss, 'listening');
  return wss;
}
const urlOf = (wss: WebSocketServer) => `ws://127.0.0.1:${(wss.address() as AddressInfo).port}`;
const challenge = JSON.stringify({ type: 'event', event: 'connect.challenge', payload: {} });
const idOf = (data: unknown) => (JSON.parse(String(data)) as { id: string }).id;

test('a gateway that is still starting has refused nothing', async () => {
  let attempts = 0;
  const wss = await server({}, (socket) => {
    socket.send(challenge);
    socket.on('message', (data) => {
      attempts += 1;
      const error = { code: 'UNAVAILABLE', message: 'starting', retryable: true };
      socket.send(JSON.stringify({ type: 'res', id: idOf(data), ok: false, error }));
    });
  });
  const link = dialled(urlOf(wss));
  await until('the failure', () => link.status.state === 'reconnecting' && link.status.reason === 'starting');
  await later('a second attempt', () => attempts >= 2);
  wss.close();
});

test('frames that make no sense change nothing, and a gateway that answers no ping is given up', async () => {
  const wss = await server({ autoPong: false }, (socket) => {
    for (const text of ['', 'nonsense', '[]', '{"type":"res"}', '{"type":"event","event":"tick"}', challenge])
      socket.send(text);
    socket.once('message', (data) => {
      socket.send(JSON.stringify({ type: 'res', id: 'nobody asked', ok: true, payload: {} }));
      socket.send(JSON.stringify({ type: 'res', id: idOf(data), ok: true, payload: {} }));
    });
  });
  const link = dialled(urlOf(wss));
  await becomes(link, 'connected');
  await later('the end', () => link.status.state === 'reconnecting');
  wss.close();
  for (const socket of wss.clients) socket.terminate();
});

test('a server that says nothing is given up after 15 s', async () => {
  const wss = await server({}, () => {});
  const link = dialled(urlOf(wss));
  await until('the connection', () => wss.clients.size === 1);
  clock.advance(15_000);
  await until('the end', () => link.status.reason?.includes('no greeting') ?? false);
  wss.close();
});
