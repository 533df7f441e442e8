import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { listenOn } from '../../src/base/net/local-server.ts';
import { systemClock } from '../../src/base/time/clock.ts';
import { tempDir } from '../bridge/journal/temp-dir.ts';
import { until } from '../support/until.ts';

test('what came before a deadline is read before it passes, where this process stood still until then', async () => {
  const path = join(tempDir(), 'own.s');
  const server = createServer();
  await listenOn(server, { path });
  const client = connect(path);
  const [socket] = await once(server, 'connection');
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  const order: string[] = [];
  client.on('data', () => order.push('word'));
  await setImmediate();
  systemClock.after(5, () => order.push('deadline'));
  socket.write('word');
  for (const end = systemClock.now() + 10; systemClock.now() < end; );
  await until('both', () => order.length === 2);
  expect(order).toEqual(['word', 'deadline']);
});

test('a deadline that is called off as it passes is not heard of', async () => {
  let isOver = false;
  const cancel = systemClock.after(0, () => {
    isOver = true;
  });
  // Behind it, in the same turn of the event loop: both are due when it comes to look.
  const called = new Promise<void>((resolve) => {
    setTimeout(() => {
      cancel();
      resolve();
    }, 0);
  });
  for (const end = systemClock.now() + 5; systemClock.now() < end; );
  await called;
  await setImmediate();
  await setImmediate();
  expect(isOver).toBe(false);
});

test('a deadline passes in a process that nothing else wakes', async () => {
  const clock = resolve(import.meta.dirname, '../../src/base/time/clock.ts');
  const program = `import { createServer } from 'node:net';
    import { systemClock } from ${JSON.stringify(clock)};
    createServer().listen(0, '127.0.0.1', () => {
      // Two of them: the timer that would say that it was too late wakes it, too.
      systemClock.after(1, () => systemClock.after(1, () => process.exit(0)));
      setTimeout(() => process.exit(1), 5_000);
    });`;
  const { exitCode } = await execa(process.execPath, ['--input-type=module', '-e', program], {
    reject: false,
    timeout: 20_000,
  });
  expect(exitCode).toBe(0);
}, 30_000);
