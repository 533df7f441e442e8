// `attach --terminal` in real terminals, against the simulated Claude.
import { expect, test } from 'vitest';
import { promptsGiven } from '../../../crash/history/evidence.ts';
import { connectBridge } from '../../../src/cli/client/control-client.ts';
import type { ControlNotifications } from '../../../src/domain/views/control.ts';
import { drawnCells, Pty } from '../../support/pty.ts';
import { until } from '../../support/until.ts';
import { House } from '../support/house.ts';
import { Home } from '../support/program.ts';

/** Claude's size, and one row for the status line. */
const fits = { cols: 120, rows: 41 };

function attach(home: Home, size: { cols: number; rows: number }, ...args: string[]): Pty {
  const command = home.argv('attach', '--state-dir', home.state, ...args);
  return new Pty(command, { cwd: home.cwd, env: home.env({ TERM: 'xterm-256color' }), ...size });
}

/** The picture as the bridge has it. */
async function snapshot(home: Home, session: string): Promise<ControlNotifications['terminal.snapshot']> {
  const connection = await connectBridge(home.state);
  const { promise, resolve } = Promise.withResolvers<ControlNotifications['terminal.snapshot']>();
  const params = { session, cols: 80, rows: 24, drive: false };
  const onNotification = (method: string, given: Record<string, unknown>) => {
    if (method === 'terminal.snapshot') resolve(given as never);
  };
  connection.call('terminal.attach', params, { onNotification }).catch(() => undefined);
  const picture = await promise;
  connection.close();
  return picture;
}

/** Claude may still be drawing: sooner or later both are the same. */
async function sameCells(home: Home, viewer: Pty): Promise<void> {
  let seen: string[][] = [];
  let wanted: string[][] = [];
  const same = async () => {
    const { data, cols, rows } = await snapshot(home, 'ops:one');
    wanted = await drawnCells({ cols, rows }, data);
    seen = viewer.cells(40);
    return JSON.stringify(seen) === JSON.stringify(wanted);
  };
  // The difference says more than that the time is over.
  await until('the same cells', same, 30_000).catch(() => expect(seen).toEqual(wanted));
}

async function withSession(home: Home): Promise<void> {
  await home.command('send', '--create', 'ops:one', '[[say:all is well 你好 🎉]]');
}

test('a viewer sees the same cells as Claude drew, and its keys reach nobody', async () => {
  await using home = new Home();
  await home.up();
  await withSession(home);
  await using viewer = attach(home, fits, 'ops:one', '--terminal');
  await until('the picture', () => viewer.screen.includes('all is well'));
  const { data: _, ...size } = await snapshot(home, 'ops:one');
  expect(size).toMatchObject({ cols: 120, rows: 40, driver: null });
  await sameCells(home, viewer);
  const status = /read-only \| ctrl-p ctrl-q detaches \| ops:one/;
  await until('the status line', () => status.test(viewer.rows[40] ?? ''));
  viewer.type('not for Claude');
  await home.command('send', 'ops:one', '[[say:second answer]]');
  await until('the second answer', () => viewer.screen.includes('second answer'));
  expect(viewer.screen).not.toContain('not for Claude');
  await sameCells(home, viewer);
  viewer.type('\u0010\u0011');
  expect(await viewer.exited()).toBe(0);
  expect([viewer.buffer, viewer.screen]).toEqual(['normal', expect.stringContaining('Detached.')]);
});

test('a driver types, is answered, sets the size, and gives it back when leaving', async () => {
  await using home = new Home();
  await home.up();
  await withSession(home);
  await using driver = attach(home, { cols: 90, rows: 31 }, 'ops:one', '--drive', '--detach-keys', 'ctrl-]');
  await until('the seat', () => driver.rows[30]?.includes('you type | ctrl-] detaches'));
  await until('the new size', async () => (await snapshot(home, 'ops:one')).cols === 90);
  driver.type('[[say:typed by hand]]\r');
  await until('the answer', () => driver.screen.includes('● typed by hand'));
  driver.resize(100, 25);
  await until('the newer size', async () => {
    const { cols, rows } = await snapshot(home, 'ops:one');
    return cols === 100 && rows === 24;
  });
  const [row] = JSON.parse((await home.command('ps', '--json')).stdout);
  expect(row.driver).toMatch(/^pid \d+/);
  await using second = attach(home, fits, 'ops:one', '--drive');
  expect(await second.exited()).toBe(1);
  expect([second.buffer, second.screen]).toEqual([
    'normal',
    expect.stringContaining("types into Claude's terminal"),
  ]);
  await using viewer = attach(home, fits, 'ops:one', '--terminal');
  await until('who types', () => viewer.rows[40]?.includes(`${row.driver} types`));
  driver.type('\u001d');
  expect(await driver.exited()).toBe(0);
  await until('the free lease', () => viewer.rows[40]?.includes('read-only'));
  const { cols, rows, driver: nobody } = await snapshot(home, 'ops:one');
  expect({ cols, rows, nobody }).toEqual({ cols: 120, rows: 40, nobody: null });
  const log = await home.command('logs', 'ops:one', '--json');
  const leases = log.stdout.split('\n').filter((line) => line.includes('"lease.'));
  expect(leases.map((line) => JSON.parse(line).event)).toEqual(['lease.taken', 'lease.released']);
});

test('a terminal smaller than Claude’s shows the part around the cursor, and says that it is cut', async () => {
  await using home = new Home();
  await home.up();
  await withSession(home);
  await using viewer = attach(home, { cols: 50, rows: 12 }, 'ops:one', '--terminal');
  await until('the prompt', () => viewer.screen.includes('❯'));
  await until('the status line', () => viewer.rows[11]?.includes('read-only'));
  viewer.resize(120, 41);
  await until('the whole', () => viewer.screen.includes('all is well'));
  viewer.type('\u0003');
  expect(await viewer.exited()).toBe(0);
});

/** In a shell that prints the exit code and the terminal's settings afterwards. */
function attachInShell(home: Home, ...args: string[]): Pty {
  const [file, ...given] = home.argv('attach', '--state-dir', home.state, ...args);
  const line = `"${[file, ...given].join('" "')}"; echo "code $?"; stty -a`;
  return new Pty(['/bin/sh', '-c', line], {
    cwd: home.cwd,
    env: home.env({ TERM: 'xterm-256color' }),
    ...fits,
  });
}

async function isRestored(shell: Pty): Promise<void> {
  expect(await shell.exited()).toBe(0);
  expect(shell.buffer).toBe('normal');
  expect(shell.screen).toMatch(/ icanon/);
  expect(shell.screen).toMatch(/[^-]echo /);
  expect(shell.terminal.modes).toMatchObject({
    bracketedPasteMode: false,
    wraparoundMode: true,
    mouseTrackingMode: 'none',
  });
}

test('an orderly end of the bridge ends Claude Code, and gives the terminal back', async () => {
  await using home = new Home();
  const bridge = await home.up();
  await withSession(home);
  await using shell = attachInShell(home, 'ops:one', '--drive');
  await until('the seat', () => shell.rows[40]?.includes('you type'));
  bridge.child.kill('SIGTERM');
  await isRestored(shell);
  expect(shell.screen).toMatch(/Claude Code of ops:one has ended; its conversation is kept.*\s+code 0/);
});

test('a bridge that was killed is waited for, with the last picture, until the detach keys', async () => {
  await using home = new Home();
  const bridge = await home.up();
  await withSession(home);
  await using shell = attachInShell(home, 'ops:one', '--drive');
  await until('the seat', () => shell.rows[40]?.includes('you type'));
  await bridge.kill();
  const status = 'bridge gone, waiting; nothing is typed | ctrl-p ctrl-q or ctrl-c detaches | ops:one';
  await until('the news', () => shell.rows[40]?.includes(status));
  expect(shell.screen).toContain('all is well');
  shell.resize(100, 41);
  await until('the picture, cut', () => shell.rows[40]?.includes('| cut:'));
  expect(shell.screen).toContain('all is well');
  shell.type('\u0010\u0011');
  await isRestored(shell);
  expect(shell.screen.replaceAll('\n', ' ')).toMatch(/goes on without it: .*code 0/);
});

test('a viewer sees Claude again when the next bridge is there, and what it does then', async () => {
  await using home = await House.open();
  await withSession(home);
  await using viewer = attach(home, fits, 'ops:one', '--terminal');
  await until('the picture', () => viewer.screen.includes('all is well'));
  await home.bridge.kill();
  await until('the loss', () => viewer.rows[40]?.includes('bridge gone'));
  await home.begin();
  await until('the news', () => viewer.rows[40]?.includes('the bridge is back'));
  await home.command('send', 'ops:one', '[[say:second answer]]');
  await until('the second answer', () => viewer.screen.includes('second answer'));
  await sameCells(home, viewer);
  await until('the old line', () => viewer.rows[40]?.includes('read-only | ctrl-p ctrl-q detaches'));
  // One that stops in order, and leaves it to another.
  await home.begin('--replace');
  await until('the news', () => viewer.raw.split('the bridge is back').length > 2);
  await sameCells(home, viewer);
  viewer.type('\u0010\u0011');
  expect(await viewer.exited()).toBe(0);
  expect(viewer.screen).toContain('Detached. Claude Code of ops:one goes on.');
});

test('a driver drives on, in its size; what it typed while no bridge was there is typed by nobody', async () => {
  await using home = await House.open();
  await withSession(home);
  await using driver = attach(home, { cols: 90, rows: 31 }, 'ops:one', '--drive');
  await until('the seat', () => driver.rows[30]?.includes('you type'));
  driver.type('[[say:before]]\r');
  await until('the answer', () => driver.screen.includes('● before'));
  await home.bridge.kill();
  await until('the loss', () => driver.rows[30]?.includes('nothing is typed'));
  driver.type('[[say:stale]]\r');
  await home.begin();
  await until('the way back', () => driver.rows[30]?.includes('you type again'));
  const { data: _, ...now } = await snapshot(home, 'ops:one');
  expect(now).toMatchObject({ cols: 90, rows: 30, driver: expect.stringMatching(/^pid \d+/) });
  driver.type('[[say:after]]\r');
  await until('the answer', () => driver.screen.includes('● after'));
  await until('the usual line', () => driver.rows[30]?.includes('you type | ctrl-p ctrl-q detaches'));
  driver.type('\u0010\u0011');
  expect(await driver.exited()).toBe(0);
  await until('its former size', async () => (await snapshot(home, 'ops:one')).cols === 120);
  await home.bridge.end();
  const given = promptsGiven(home.path).filter((text) => /before|stale|after/.test(text));
  expect(given).toEqual(['[[say:before]]', '[[say:after]]']);
  expect([home.rows('lease.taken').length, home.rows('lease.released').length]).toEqual([2, 2]);
});

test('a driver that is killed together with the bridge leaves neither its lease nor its size behind', async () => {
  await using home = await House.open();
  await withSession(home);
  await using driver = attach(home, { cols: 90, rows: 31 }, 'ops:one', '--drive');
  await until('the seat', () => driver.rows[30]?.includes('you type'));
  await until('its size', async () => (await snapshot(home, 'ops:one')).cols === 90);
  await home.bridge.kill();
  driver.signal('SIGKILL');
  await driver.exited();
  await home.begin();
  const { data: _, ...now } = await snapshot(home, 'ops:one');
  expect(now).toMatchObject({ cols: 120, rows: 40, driver: null });
  await using viewer = attach(home, fits, 'ops:one', '--terminal');
  await until('the picture', () => viewer.screen.includes('all is well'));
  await sameCells(home, viewer);
  await using second = attach(home, { cols: 80, rows: 25 }, 'ops:one', '--drive');
  await until('the seat', () => second.rows[24]?.includes('you type'));
  second.type('[[say:another hand]]\r');
  await until('the answer', () => viewer.screen.includes('● another hand'));
});

test('a Claude Code that was ended while the bridge was away is said to be, and nothing else is shown', async () => {
  await using home = await House.open();
  await withSession(home);
  await using driver = attach(home, fits, 'ops:one', '--drive');
  await until('the seat', () => driver.rows[40]?.includes('you type'));
  await home.bridge.kill();
  expect(await home.command('down')).toMatchObject({ code: 0 });
  await until('the loss', () => driver.rows[40]?.includes('nothing is typed'));
  await home.begin();
  expect(await driver.exited()).toBe(0);
  expect([driver.buffer, driver.screen]).toEqual([
    'normal',
    expect.stringContaining('has ended while the bridge was away. Its conversation is kept'),
  ]);
});

test('without a terminal, or without a Claude Code, it says so and touches nothing', async () => {
  await using home = new Home();
  await home.up();
  await withSession(home);
  const piped = await home.command('attach', 'ops:one', '--terminal');
  expect([piped.code, piped.stderr]).toEqual([2, expect.stringContaining('needs a terminal')]);
  await home.command('stop', 'ops:one');
  await until('the end of Claude', async () => {
    const [row] = JSON.parse((await home.command('ps', '--json')).stdout);
    return row.state === 'stopped';
  });
  await using viewer = attach(home, fits, 'ops:one', '--terminal');
  expect(await viewer.exited()).toBe(1);
  expect(viewer.raw).not.toContain('\u001b[?1049h');
  expect(viewer.screen).toContain('synthesis restart');
});
