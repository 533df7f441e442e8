// `attach --drive` in a real terminal, and a bridge that a test plays: it goes and comes at the worst moments.
import { createServer } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RpcConnection } from '../../../src/cli/client/rpc-connection.ts';
import { PlayedTerminal } from '../../bridge/control/played-terminal.ts';
import { SmallControl } from '../../bridge/control/small-control.ts';
import { Pty } from '../../support/pty.ts';
import { until } from '../../support/until.ts';
import { Home } from '../support/program.ts';

let home: Home;
let control: SmallControl;
let terminal: PlayedTerminal;
let driver: Pty;

beforeEach(async () => {
  home = new Home();
  control = await SmallControl.start();
  terminal = new PlayedTerminal();
  control.openView = terminal.join;
  control.say('a', 'hello');
  driver = new Pty(home.argv('attach', '--state-dir', control.dir, 'a', '--drive'), {
    cwd: home.cwd,
    env: home.env({ TERM: 'xterm-256color' }),
    cols: 80,
    rows: 25,
  });
  await says('you type');
  await control.hangUp();
  await says('bridge gone, waiting; nothing is typed | ctrl-p ctrl-q or ctrl-c detaches |');
  control.startedAt = 'the second start';
});

afterEach(async () => {
  await driver[Symbol.asyncDispose]();
  await control[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

const says = (words: string) => until(words, () => driver.rows[24]?.includes(words), 20_000);

/** Words that stand there for a moment. */
const said = (words: string, times = 1) => until(words, () => driver.raw.split(words).length > times, 20_000);

const leaseTaken = () =>
  [...control.journal.read(0)].filter(({ event }) => event.type === 'lease.taken').length;

test('keys count once the new picture could be seen, and none of those that were pressed before', async () => {
  // The last one may be the first of the keys that detach.
  driver.type('y\r\u0010');
  let seenAt = 0;
  control.openView = (...given) => {
    seenAt = performance.now();
    return terminal.join(...given);
  };
  terminal.screen = 'another picture';
  await control.listen();
  await said('the bridge is back; nothing is typed yet');
  await until('the picture', () => driver.screen.includes('another picture'));
  await until('the lease', () => leaseTaken() === 2);
  expect(performance.now() - seenAt).toBeGreaterThan(950);
  await said('you type again | ctrl-p ctrl-q detaches');
  expect(terminal.size).toEqual({ cols: 80, rows: 24 });
  driver.type('now\r');
  await until('the keys', () => terminal.typed.join('').endsWith('\r'));
  expect(terminal.typed.join('')).toBe('now\r');
});

test('a bridge that has not taken over yet what goes on is waited for, too', async () => {
  await control.open();
  await until('two looks', () => control.asked >= 2);
  expect(terminal.viewers.size).toBe(0);
  expect(driver.rows[24]).toContain('bridge gone');
  control.announce();
  await said('you type again');
});

test('where somebody else types by then, it looks on, and says so', async () => {
  await control.open();
  const other = await RpcConnection.open(control.path);
  const given = { session: 'a', cols: 90, rows: 30, drive: true, who: 'pid 7' };
  other.call('terminal.attach', given).catch(() => undefined);
  await until('the other', () => terminal.size.cols === 90);
  control.announce();
  await said('read-only now: somebody else types | ctrl-p ctrl-q detaches');
  driver.type('y\r');
  await says(' pid 7 types | ctrl-p ctrl-q detaches');
  // What it wanted is over: it does not take the keys as soon as they are free.
  other.close();
  await says(' read-only | ctrl-p ctrl-q detaches');
  await control.hangUp();
  await says('bridge gone, waiting for it');
  await control.listen();
  await said('the bridge is back | ctrl-p ctrl-q detaches');
  driver.type('\u0010\u0011');
  expect(await driver.exited()).toBe(0);
  expect([leaseTaken(), terminal.typed]).toEqual([2, []]);
});

test('where everything is stopped by then, it looks on, and says so', async () => {
  control.bridge.panic.panic({});
  await control.listen();
  await said('read-only now: everything is stopped | ctrl-p ctrl-q detaches');
  driver.type('y\r\u0003');
  expect(await driver.exited()).toBe(0);
  expect([driver.screen, terminal.typed]).toEqual([expect.stringContaining('Detached. Claude Code'), []]);
});

test('a lease that was taken away is not wanted back after a restart', async () => {
  await control.listen();
  await says('you type');
  const other = await RpcConnection.open(control.path);
  await other.call('bridge.panic', {});
  await says(' read-only | ctrl-p ctrl-q detaches');
  await other.call('bridge.resume', {});
  other.close();
  await control.hangUp();
  await says('bridge gone, waiting for it');
  await control.listen();
  await said('the bridge is back | ctrl-p ctrl-q detaches');
  driver.type('\u0003');
  expect(await driver.exited()).toBe(0);
  expect(leaseTaken()).toBe(2);
});

test('a bridge that goes again at once is waited for again', async () => {
  for (const round of [1, 2]) {
    await control.listen();
    await said('the bridge is back; nothing is typed yet', round);
    await control.hangUp();
    await says('bridge gone, waiting; nothing is typed');
  }
  await control.listen();
  await said('the bridge is back; nothing is typed yet', 3);
  await says('you type');
});

test('a session that is not there any more ends it in words, with the terminal given back', async () => {
  control.bridge.dispatcher.dispatch('a', { type: 'session.remove' });
  await control.listen();
  expect(await driver.exited()).toBe(4);
  expect([driver.buffer, driver.screen]).toEqual(['normal', expect.stringContaining('"a"')]);
});

test('it can be left while the next bridge does not answer', async () => {
  let calls = 0;
  const silent = createServer(() => {
    calls += 1;
  });
  await new Promise<void>((resolve) => silent.listen(control.path, resolve));
  await until('a call', () => calls === 1);
  const before = performance.now();
  driver.type('\u0003');
  expect(await driver.exited()).toBe(0);
  expect(performance.now() - before).toBeLessThan(5_000);
  silent.close();
});
