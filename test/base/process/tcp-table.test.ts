// The kernel's table, on real connections.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { holdsSocket, tcpRow } from '../../../src/base/process/tcp-table.ts';

async function connection(listen: string, dial: string): Promise<{ near: Socket; far: Socket }> {
  const server = createServer();
  server.listen(0, listen);
  await once(server, 'listening');
  const far = connect((server.address() as { port: number }).port, dial);
  const [near] = (await once(server, 'connection')) as [Socket];
  onTestFinished(() => {
    near.destroy();
    far.destroy();
    server.close();
  });
  return { near, far };
}

const end = (address: string | undefined, port: number | undefined) => ({
  address: address ?? '',
  port: port ?? 0,
});
const rowOfClient = ({ localAddress, localPort, remoteAddress, remotePort }: Socket) =>
  tcpRow(end(remoteAddress, remotePort), end(localAddress, localPort));

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::1', '::1'],
  ['::', '127.0.0.1'],
])('the client of a server at %s that dials %s is found, and has its socket', async (listen, dial) => {
  const { near } = await connection(listen, dial);
  const row = rowOfClient(near);
  expect(row).toEqual({ uid: process.getuid?.(), inode: expect.any(Number) });
  expect(row?.inode).toBeGreaterThan(0);
  expect([holdsSocket(process.pid, row?.inode ?? 0), holdsSocket(process.pid, 1)]).toEqual([true, false]);
});

test('there is no row of a connection that there is not, nor of what is no address', async () => {
  const { near } = await connection('127.0.0.1', '127.0.0.1');
  const here = end(near.localAddress, near.localPort);
  expect(tcpRow({ address: '127.0.0.1', port: 1 }, here)).toBeUndefined();
  for (const address of ['', 'localhost', '1.2.3', ':::', '1:2:3:4:5:6:7:8:9'])
    expect([address, tcpRow({ address, port: 1 }, here)]).toEqual([address, undefined]);
});
