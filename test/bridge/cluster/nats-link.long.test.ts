import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { NatsLink } from '../../../src/bridge/cluster/nats-link.ts';
import { until } from '../../support/until.ts';

/** What a node says to a server that has no TLS, and why it goes no further. */
async function saidTo(host: string): Promise<{ said: string; reason: string }> {
  let said = '';
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      said += bytes;
      socket.write("-ERR 'Authorization Violation'\r\n");
    });
    socket.write('INFO {"server_id":"A","version":"2.9.10","max_payload":1048576,"auth_required":true}\r\n');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const settings = {
    name: 'c',
    node: 'n',
    servers: [`nats://${host}:${port}`],
    takeover: false,
    leaseSeconds: 30,
    storeMb: 1,
    token: 'secret',
  };
  const link = new NatsLink({ settings, clock: systemClock, log: silentLog, up: async () => {} });
  onTestFinished(async () => {
    await link.close();
    server.close();
  });
  link.start();
  const reason = await until('a refusal', () => 'reason' in link.state && link.state.reason);
  return { said, reason };
}

test('to a server beyond this machine nothing is said before TLS', async () => {
  // The short spelling of the address: as far as a node can tell, that of another machine.
  expect(await saidTo('127.1')).toEqual({ said: '', reason: expect.stringMatching(/tls/i) });
  expect((await saidTo('localhost')).said).toContain('secret');
});
