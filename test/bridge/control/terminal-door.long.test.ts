// Viewers and a driver of a terminal that a test plays.
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectBridge } from '../../../src/cli/client/control-client.ts';
import type { RpcConnection } from '../../../src/cli/client/rpc-connection.ts';
import { until } from '../../support/until.ts';
import { PlayedTerminal, type Size } from './played-terminal.ts';
import { SmallControl } from './small-control.ts';

let control: SmallControl;
let terminal: PlayedTerminal;
const connections: RpcConnection[] = [];

beforeEach(async () => {
  control = await SmallControl.start();
  terminal = new PlayedTerminal();
  control.openView = terminal.join;
  control.say('a', 'hello');
});

afterEach(async () => {
  for (const connection of connections.splice(0)) connection.close();
  await control[Symbol.asyncDispose]();
});

type News = { method: string } & Record<string, unknown>;

async function attach(drive: boolean, size: Size = { cols: 80, rows: 24 }, who = 'somebody') {
  const connection = await connectBridge(control.dir);
  connections.push(connection);
  const news: News[] = [];
  const end = new AbortController();
  const { id, result } = connection.start(
    'terminal.attach',
    { session: 'a', ...size, drive, who },
    {
      signal: end.signal,
      onNotification: (method, { call: _, ...params }) => news.push({ method, ...params }),
    },
  );
  let refused = false;
  result.catch(() => {
    refused = true;
  });
  await until('the picture', () => refused || news.some(({ method }) => method === 'terminal.snapshot'));
  return { connection, call: id, news, result, leave: () => end.abort() };
}

const events = () =>
  [...control.journal.read(0)].map(({ event }) => event.type).filter((type) => type.startsWith('lease'));

test('a viewer gets the picture and then the bytes, and cannot type', async () => {
  const { connection, call, news, leave, result } = await attach(false);
  terminal.draw('more');
  await until('the bytes', () => news.length === 2);
  expect(news).toEqual([
    { method: 'terminal.snapshot', cols: 120, rows: 40, data: 'picture', driver: null },
    { method: 'terminal.data', data: 'more' },
  ]);
  const typing = connection.call('terminal.input', { call, data: 'x' });
  await expect(typing).rejects.toMatchObject({ code: 'not_driving' });
  expect(await connection.call('terminal.resize', { call, cols: 50, rows: 20 })).toEqual({ applied: false });
  expect([terminal.typed, terminal.size]).toEqual([[], { cols: 120, rows: 40 }]);
  leave();
  expect(await result).toEqual({ reason: 'cancelled' });
  expect(terminal.viewers.size).toBe(0);
});

test('the driver’s keys and size are Claude’s; everybody hears who it is; leaving puts the size back', async () => {
  const viewer = await attach(false);
  const driver = await attach(true, { cols: 90, rows: 30 }, 'pid 7');
  expect(terminal.size).toEqual({ cols: 90, rows: 30 });
  await until('the news', () => viewer.news.length === 3);
  expect(viewer.news.slice(1)).toEqual([
    { method: 'terminal.resized', cols: 90, rows: 30 },
    { method: 'terminal.lease', driver: 'pid 7', mine: false },
  ]);
  await driver.connection.call('terminal.input', { call: driver.call, data: 'ls\r' });
  expect(terminal.typed).toEqual(['ls\r']);
  const rows = await driver.connection.call('session.list', {});
  expect(rows[0]?.driver).toBe('pid 7');
  // Hung up, not said goodbye.
  driver.connection.close();
  await until(
    'the free lease',
    () => viewer.news.at(-1)?.method === 'terminal.lease' && viewer.news.at(-1)?.driver === null,
  );
  expect(terminal.size).toEqual({ cols: 120, rows: 40 });
  expect(events()).toEqual(['lease.taken', 'lease.released']);
});

test('one drives at a time; the lease can be given back and taken while attached', async () => {
  const first = await attach(true, undefined, 'pid 1');
  const second = await attach(false, { cols: 60, rows: 20 }, 'pid 2');
  const drive = (seat: typeof first, on: boolean) =>
    seat.connection.call('terminal.drive', { call: seat.call, drive: on });
  await expect(drive(second, true)).rejects.toMatchObject({
    code: 'driven',
    message: expect.stringContaining('pid 1'),
  });
  const refused = await attach(true, undefined, 'pid 3');
  await expect(refused.result).rejects.toMatchObject({ code: 'driven' });
  expect(await drive(first, false)).toEqual({ driving: false });
  expect(await drive(second, true)).toEqual({ driving: true });
  expect(terminal.size).toEqual({ cols: 60, rows: 20 });
  expect(events()).toEqual(['lease.taken', 'lease.released', 'lease.taken']);
});

test('the end of Claude Code ends the call and frees the lease', async () => {
  const { result } = await attach(true);
  for (const viewer of terminal.viewers) viewer.ended();
  expect(await result).toEqual({ reason: 'exited' });
  expect(events()).toEqual(['lease.taken', 'lease.released']);
});

test('a lease that a dead bridge left behind is free after the restart', async () => {
  await attach(true);
  control.bridge.dispatcher.dispatch('a', { type: 'session.recover' });
  expect(control.bridge.dispatcher.session('a')?.lease).toBeUndefined();
});

test('output that comes while the picture is taken stands on top of it', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  control.openView = (key, output, ended) => {
    const view = terminal.join(key, output, ended);
    const snapshot = async () => {
      const picture = await view.snapshot();
      await promise;
      return picture;
    };
    return Object.defineProperty({ ...view, size: terminal.size }, 'snapshot', { value: snapshot });
  };
  const joining = attach(false);
  await until('the viewer', () => terminal.viewers.size === 1);
  terminal.draw('later');
  resolve();
  const { news } = await joining;
  await until('the bytes', () => news.length === 2);
  expect(news.map(({ data }) => data)).toEqual(['picture', 'later']);
});

test('without a running Claude Code, or with a call that is none, it says so', async () => {
  control.openView = () => undefined;
  const { result, connection } = await attach(false);
  await expect(result).rejects.toMatchObject({ code: 'not_running' });
  const call = connection.call('terminal.input', { call: 99, data: 'x' });
  await expect(call).rejects.toMatchObject({ code: 'no_such_call' });
});

test('a viewer that does not read costs a bounded memory, and then gets the picture as it is by then', async () => {
  const socket = connect(control.path);
  const params = { session: 'a', cols: 80, rows: 24, drive: false };
  socket.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'terminal.attach', params })}\n`);
  await until('the viewer', () => terminal.viewers.size === 1);
  const other = await attach(false);
  const piece = 'x'.repeat(64 * 1024);
  const sent = 20 * 1024 * 1024;
  for (let drawn = 0; drawn < sent; drawn += piece.length) {
    terminal.screen = '';
    for (const viewer of terminal.viewers) viewer.output(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  terminal.screen = 'the last picture';
  await until('the quick one to have all', () => other.news.length > sent / piece.length);
  let received = 0;
  let text = '';
  socket.setEncoding('utf8').on('data', (data: string) => {
    received += data.length;
    text = (text + data).slice(-4096);
  });
  await until('the new picture', () => text.includes('the last picture'));
  expect(received).toBeLessThan(4 * 1024 * 1024);
  terminal.draw('!');
  await until('what comes then', () => text.includes('"data":"!"'));
  socket.destroy();
});

test('while everything is stopped everybody may look, and nobody types', async () => {
  const driver = await attach(true, undefined, 'pid 1');
  await driver.connection.call('bridge.panic', {});
  const typing = driver.connection.call('terminal.input', { call: driver.call, data: 'y' });
  await expect(typing).rejects.toMatchObject({ code: 'not_driving' });
  expect(terminal.typed).toEqual([]);
  expect(driver.news.at(-1)).toEqual({ method: 'terminal.lease', driver: null, mine: false });
  const second = await attach(false);
  const drive = second.connection.call('terminal.drive', { call: second.call, drive: true });
  await expect(drive).rejects.toMatchObject({ code: 'panic' });

  await driver.connection.call('bridge.resume', {});
  expect(await second.connection.call('terminal.drive', { call: second.call, drive: true })).toEqual({
    driving: true,
  });
});
