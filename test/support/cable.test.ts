import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { Cable } from './cable.ts';
import { until } from './until.ts';

/** A server that sends back what it reads, and a cable to it. */
async function echo(): Promise<{ cable: Cable; call(): Promise<Socket>; open: Set<Socket> }> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    socket.pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cable = await Cable.to([(server.address() as AddressInfo).port]);
  onTestFinished(async () => {
    await cable[Symbol.asyncDispose]();
    server.close();
  });
  const call = async () => {
    const socket = connect(Number(cable.urls[0]?.split(':').at(-1)), '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    return socket;
  };
  return { cable, call, open };
}

const reads = async (socket: Socket): Promise<string> => String((await once(socket, 'data'))[0]);

test('what is sent in the silence arrives when it is over, also of who called in it', async () => {
  const { cable, call } = await echo();
  const socket = await call();
  socket.write('before');
  expect(await reads(socket)).toBe('before');
  cable.silence();
  const late = await call();
  let heard = '';
  for (const each of [socket, late]) each.on('data', (bytes) => (heard += bytes)).write('within');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(heard).toBe('');
  cable.heal();
  await until('both', () => heard === 'withinwithin');
});

test('who hangs up in the silence is heard of when it is over', async () => {
  const { cable, call, open } = await echo();
  const socket = await call();
  await until('the server', () => open.size === 1);
  cable.silence();
  socket.destroy();
  await once(socket, 'close');
  expect(open.size).toBe(1);
  cable.heal();
  await until('the end', () => open.size === 0);
});

test('cut, it ends connections and lets none come about', async () => {
  const { cable, call, open } = await echo();
  const socket = await call();
  await until('the server', () => open.size === 1);
  cable.cut();
  await once(socket, 'close');
  await until('the end', () => open.size === 0);
  await once(await call(), 'close');
  cable.heal();
  const again = await call();
  again.write('again');
  expect(await reads(again)).toBe('again');
});
