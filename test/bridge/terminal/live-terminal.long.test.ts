import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { newId, newToken } from '../../../src/base/ids.ts';
import { identityOf, isRunning } from '../../../src/base/process/process-identity.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { sinceBoot } from '../../../src/base/time/since-boot.ts';
import type { Host as Port } from '../../../src/bridge/claude/host-port.ts';
import type { HostAddress } from '../../../src/bridge/terminal/host-proof.ts';
import { type HookEvents, Hosted } from '../../../src/bridge/terminal/hosted.ts';
import { LiveTerminal } from '../../../src/bridge/terminal/live-terminal.ts';
import { Screen } from '../../../src/bridge/terminal/screen.ts';
import { Host } from '../../../src/host/host.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { until } from '../../support/until.ts';

const open: { host: Host; dir: string }[] = [];
afterEach(async () => {
  for (const { host, dir } of open.splice(0)) {
    await host.close();
    rmSync(dir, { recursive: true });
  }
});

const noHooks: HookEvents = { came: () => {}, written: () => {}, gone: () => {} };

async function newHost(uptime = sinceBoot): Promise<{ host: Host; address: HostAddress; hosted: Hosted }> {
  const dir = mkdtempSync(join(tmpdir(), 'live-'));
  const address = { run: newId('r'), socket: join(dir, 'host.sock'), secret: newToken() };
  const host = await Host.open({ dir, ...address, uptime });
  open.push({ host, dir });
  return { host, address, hosted: await Hosted.at(address, identityOf(process.pid), systemClock) };
}

const spec = (script: string, env: Record<string, string> = {}) => ({
  argv: ['/bin/sh', '-c', script] as const,
  env: { PATH: '/usr/bin:/bin', ...env },
  cwd: '/',
  cols: 40,
  rows: 5,
});

async function run(script: string, env?: Record<string, string>): Promise<LiveTerminal> {
  const { hosted } = await newHost();
  const terminal = await hosted.start(spec(script, env), 'token');
  hosted.attach(noHooks);
  return terminal;
}
const exitOf = (terminal: LiveTerminal) => new Promise((resolve) => terminal.onExit(resolve));
const shows = (terminal: LiveTerminal, text: string) =>
  until(text, () => terminal.rows().some((row) => row.includes(text)));

test('fits the port of the room that drives Claude Code', async () => {
  const fits: Port = (await newHost()).hosted;
  expect(fits.hooksUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

test('a lease says when it was said: one that is heard an hour later has run out', async () => {
  const { host, hosted } = await newHost(() => sinceBoot() + 3_600_000);
  const terminal = await hosted.start(spec('echo up; read x'), 'token');
  hosted.attach(noHooks);
  await shows(terminal, 'up');
  hosted.lease(1_800_000);
  expect(await exitOf(terminal)).toEqual({ code: undefined, signal: 15 });
  await host.closed;
});

test('the exit is told after the last output was drawn', async () => {
  const terminal = await run('printf "the end"; exit 3');
  expect(await exitOf(terminal)).toEqual({ code: 3, signal: undefined });
  expect(terminal.rows()[0]).toBe('the end');
});

test('an end by signal names the signal, and no code', async () => {
  const terminal = await run('echo up; read x');
  await shows(terminal, 'up');
  terminal.kill('SIGKILL');
  expect(await exitOf(terminal)).toEqual({ code: undefined, signal: 9 });
});

test('a listener that comes after the end is told too', async () => {
  const terminal = await run('exit 0');
  await exitOf(terminal);
  expect(await exitOf(terminal)).toEqual({ code: 0, signal: undefined });
});

test('keys, signals and sizes after the end do nothing', async () => {
  const terminal = await run('exit 0');
  await exitOf(terminal);
  terminal.write('x');
  terminal.kill('SIGTERM');
  terminal.resize(10, 10);
  expect(terminal.size).toEqual({ cols: 40, rows: 5 });
});

test('the environment is exactly the one given', async () => {
  const terminal = await run('env | cut -d= -f1 | sort | tr "\\n" " "', { ONLY: '1' });
  await exitOf(terminal);
  const names = terminal.rows().join('').trim().split(' ');
  expect(names.filter((name) => !['PWD', 'OLDPWD', 'SHLVL', '_', 'TERM'].includes(name))).toEqual([
    'ONLY',
    'PATH',
  ]);
});

test('questions about the terminal are answered, so that a program does not wait', async () => {
  const terminal = await run('stty raw -echo; printf "\\033[c"; head -c 3 | od -An -tx1');
  await shows(terminal, '1b 5b 3f');
});

test('a new size reaches program and screen', async () => {
  const terminal = await run('trap "stty size" WINCH; echo up; while :; do read x; done');
  await shows(terminal, 'up');
  terminal.resize(60, 10);
  // A signal that comes just before the shell begins to read is handled when that read is over.
  terminal.write('\r');
  await shows(terminal, '10 60');
  expect(terminal.size).toEqual({ cols: 60, rows: 10 });
});

test('a viewer gets the bytes until it leaves', async () => {
  const terminal = await run('read x; echo one; read x; echo two; read x');
  let seen = '';
  const leave = terminal.onData((data) => {
    seen += data;
  });
  terminal.write('\r');
  await until('one', () => seen.includes('one'));
  leave();
  terminal.write('\r');
  await shows(terminal, 'two');
  expect(seen).not.toContain('two');
});

async function drawn(text: string): Promise<Screen> {
  const screen = new Screen(20, 3, { reply: () => {}, changed: () => {} });
  screen.write(Buffer.from(text));
  await screen.drawn();
  return screen;
}

test('bright rows leave out dim text and the cursor block, and keep the columns', async () => {
  const screen = await drawn('> \x1b[7mT\x1b[27m\x1b[2mry this\x1b[22m ok 你\r\n\x1b[2mhint\x1b[22m');
  expect(screen.rows()).toEqual(['> Try this ok 你', 'hint', '']);
  expect(screen.rows({ bright: true })).toEqual(['>          ok 你', '', '']);
});

test('the title is the one set last', async () => {
  const screen = await drawn('\x1b]0;✳ first\x07\x1b]2;◐ second\x1b\\');
  expect(screen.title).toBe('◐ second');
});

test('a snapshot draws the same screen elsewhere', async () => {
  const screen = await drawn('\x1b[?1049h\x1b[1mbold\x1b[0m 你好 🎉\x1b[3;5Hx');
  const copy = await drawn((await screen.snapshot()).data);
  expect(copy.rows()).toEqual(screen.rows());
});

test('a program that answers while it is written to gets all of it, in order, and nobody waits for it', async () => {
  const terminal = await run('stty raw -echo; printf ready; exec cat');
  await shows(terminal, 'ready');
  let came = '';
  terminal.onData((data) => {
    came += data;
  });
  const numbers = Array.from({ length: 40_000 }, (_, n) => `${n} `);
  for (let n = 0; n < numbers.length; n += 100) terminal.write(numbers.slice(n, n + 100).join(''));
  terminal.write('end');
  await until('all of it', () => came.endsWith('end'));
  expect(came).toBe(`${numbers.join('')}end`);
});

test('a program that does not read stops nobody, and can be ended', async () => {
  const terminal = await run('stty raw -echo; printf ready; exec sleep 60');
  await shows(terminal, 'ready');
  terminal.write('x'.repeat(1_000_000));
  terminal.kill('SIGKILL');
  expect(await exitOf(terminal)).toEqual({ code: undefined, signal: 9 });
});

test('what cannot be started is said in words', async () => {
  const { hosted } = await newHost();
  await expect(hosted.start({ ...spec(''), cwd: '/nowhere' }, 'token')).rejects.toThrow(/\S/);
  await hosted.quit();
});

test('a host that ends takes its program along, also one that does not care, and how that ended is not known', async () => {
  const { hosted, host } = await newHost();
  const terminal = await hosted.start(spec('trap "" HUP TERM; echo up; while :; do sleep 1; done'), 'token');
  hosted.attach(noHooks);
  await shows(terminal, 'up');
  const exit = exitOf(terminal);
  void host.close();
  expect(await exit).toMatchObject({ code: undefined });
  expect(isRunning(terminal.pid)).toBe(false);
});

test('a program that lost its terminal and hears no signal is killed after half a second, and told to have ended when it has', async () => {
  const clock = new ManualClock();
  const deaf = spawn('/bin/sh', ['-c', 'trap "" HUP TERM; echo up; while :; do sleep 1; done'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void deaf.kill('SIGKILL'));
  const ended = once(deaf, 'exit');
  await once(deaf.stdout, 'data');
  const program = { pid: deaf.pid ?? 0, cols: 40, rows: 5 };
  const options = { isReplayed: false, isHostAlive: () => false, send: () => {} };
  const terminal = new LiveTerminal({ clock, program, ...options });
  let exit: unknown;
  terminal.onExit((how) => {
    exit = how;
  });
  terminal.lost();
  clock.advance(499);
  expect([deaf.exitCode, deaf.signalCode]).toEqual([null, null]);
  clock.advance(1);
  expect(exit).toBeUndefined();
  expect(await ended).toEqual([null, 'SIGKILL']);
  clock.advance(50);
  await until('its end', () => exit);
  expect(exit).toEqual({ code: undefined, signal: undefined, lost: true });
});

test('who quits a host ends its program', async () => {
  const { hosted } = await newHost();
  const terminal = await hosted.start(spec('echo up; read x'), 'token');
  hosted.attach(noHooks);
  await shows(terminal, 'up');
  await hosted.quit();
  expect(isRunning(terminal.pid)).toBe(false);
});

test('the next owner has the same screen, title and size, and asks nothing that was answered before', async () => {
  const { hosted, address } = await newHost();
  // It prints the answer to its question, which comes once.
  const asks =
    'stty raw -echo; printf "\\033]2;a title\\007\\033[31mred \\303\\251\\033[0m\\033[c"; exec cat -v';
  const first = await hosted.start(spec(asks), 'token');
  hosted.attach(noHooks);
  hosted.remember(Buffer.from('a word'));
  await until('the answer', () => first.rows().join('').includes('[?'));
  first.write('typed', 'key 1');
  first.resize(50, 6);
  await shows(first, 'typed');
  const [rows, { pid }] = [first.rows(), first];
  hosted.leave();
  const later = await Hosted.at(address, identityOf(process.pid), systemClock);
  const found = later.find();
  later.attach(noHooks);
  expect(found).toMatchObject({ typed: 'key 1', token: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(Buffer.from(later.memo).toString()).toBe('a word');
  const second = found?.terminal as LiveTerminal;
  await until('the same screen', () => second.rows().join('\n') === rows.join('\n'));
  expect([second.title, second.size, second.pid]).toEqual(['a title', { cols: 50, rows: 6 }, pid]);
  second.write(' and more');
  await shows(second, 'typed and more');
  expect(second.rows().join('').match(/\[\?/g)).toHaveLength(1);
});

test('a character that comes in two parts is whole for who looks on', async () => {
  const terminal = await run('read x; printf "\\303"; sleep 0.1; printf "\\251 end"; read x');
  let seen = '';
  terminal.onData((data) => {
    seen += data;
  });
  terminal.write('\r');
  await until('the end', () => seen.includes('end'));
  expect(seen).toContain('é end');
});
