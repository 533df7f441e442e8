import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/time/clock.ts';
import { HookDoor } from '../../src/host/hooks/hook-door.ts';
import { HookSpool } from '../../src/host/hooks/hook-spool.ts';

test('whoever does not come to the end of its head is hung up on, long before Node would', async () => {
  const door = await HookDoor.open(new HookSpool(), systemClock);
  const socket = connect(door.port, '127.0.0.1').on('error', () => {});
  socket.write('POST /hooks/tell/Stop HTTP/1.1\r\nhost: 127');
  socket.resume();
  const from = performance.now();
  await once(socket, 'close');
  // 5 s and a second until it is seen; Node's own limit is a minute.
  expect(performance.now() - from).toBeLessThan(30_000);
  await door.close();
});
