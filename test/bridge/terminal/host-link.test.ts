import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { HostLink } from '../../../src/bridge/terminal/host-link.ts';
import { encodeHostFrame } from '../../../src/protocol/wire/host-codec.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { tempDir } from '../journal/temp-dir.ts';

/** A host that accepts a connection, and then says nothing. A real one that is held up: hung-host.long.test.ts. */
async function silentHost(isHeldUp: () => boolean) {
  const path = join(tempDir(), 'own.s');
  const server = createServer().listen(path);
  await once(server, 'listening');
  chmodSync(path, 0o600);
  const clock = new ManualClock();
  const link = HostLink.to(path, clock, isHeldUp);
  const [socket] = (await once(server, 'connection')) as [Socket];
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  return { clock, link, socket };
}

test('a host that gets no processor has half a minute to say who it is', async () => {
  const { clock, link, socket } = await silentHost(() => true);
  clock.advance(29_999);
  socket.write(encodeHostFrame({ type: 'hello', version: 1, run: 'r1', port: 1, lost: 0 }));
  expect((await link).hello.run).toBe('r1');
  expect(clock.timers).toBe(0);
});

test.each([
  ['could answer', 3, 0],
  ['got its processor and still says nothing', 6, 1],
  ['never gets a processor', 30, Number.POSITIVE_INFINITY],
])('a host that %s is given up after %i s', async (_, seconds, looks) => {
  let times = 0;
  const { clock, link } = await silentHost(() => times++ < looks);
  const failed = expect(link).rejects.toThrow(`the host says nothing within ${seconds} s`);
  clock.advance(60_000);
  await failed;
  expect(clock.timers).toBe(0);
});
