import { afterEach, expect, test } from 'vitest';
import type { OpenTerminal } from '../../../src/bridge/claude/terminal-port.ts';
import { LiveTerminal } from '../../../src/bridge/terminal/live-terminal.ts';
import { Screen } from '../../../src/bridge/terminal/screen.ts';
import { until } from '../../support/until.ts';

const open: LiveTerminal[] = [];
afterEach(() => {
  for (const terminal of open.splice(0)) terminal.kill('SIGKILL');
});

function run(script: string, env: Record<string, string> = {}): LiveTerminal {
  const terminal = new LiveTerminal({
    argv: ['/bin/sh', '-c', script],
    env: { PATH: '/usr/bin:/bin', ...env },
    cwd: '/',
    cols: 40,
    rows: 5,
  });
  open.push(terminal);
  return terminal;
}
const exitOf = (terminal: LiveTerminal) => new Promise((resolve) => terminal.onExit(resolve));
const shows = (terminal: LiveTerminal, text: string) =>
  until(text, () => terminal.rows().some((row) => row.includes(text)));

test('fits the port of the room that drives Claude Code', () => {
  const fits: OpenTerminal = (spec) => new LiveTerminal(spec);
  expect(fits).toBeTypeOf('function');
});

test('the exit is told after the last output was drawn', async () => {
  const terminal = run('printf "the end"; exit 3');
  expect(await exitOf(terminal)).toEqual({ code: 3, signal: undefined });
  expect(terminal.rows()[0]).toBe('the end');
});

test('an end by signal names the signal, and no code', async () => {
  const terminal = run('echo up; read x');
  await shows(terminal, 'up');
  terminal.kill('SIGKILL');
  expect(await exitOf(terminal)).toEqual({ code: undefined, signal: 9 });
});

test('a listener that comes after the end is told too', async () => {
  const terminal = run('exit 0');
  await exitOf(terminal);
  expect(await exitOf(terminal)).toEqual({ code: 0, signal: undefined });
});

test('keys, signals and sizes after the end do nothing', async () => {
  const terminal = run('exit 0');
  await exitOf(terminal);
  terminal.write('x');
  terminal.kill('SIGTERM');
  terminal.resize(10, 10);
  expect(terminal.size).toEqual({ cols: 40, rows: 5 });
});

test('the environment is exactly the one given', async () => {
  const terminal = run('env | cut -d= -f1 | sort | tr "\\n" " "', { ONLY: '1' });
  await exitOf(terminal);
  const names = terminal.rows().join('').trim().split(' ');
  expect(names.filter((name) => !['PWD', 'OLDPWD', 'SHLVL', '_', 'TERM'].includes(name))).toEqual([
    'ONLY',
    'PATH',
  ]);
});

test('questions about the terminal are answered, so that a program does not wait', async () => {
  const terminal = run('stty raw -echo; printf "\\033[c"; head -c 3 | od -An -tx1');
  await shows(terminal, '1b 5b 3f');
});

test('a new size reaches program and screen', async () => {
  const terminal = run('trap "stty size" WINCH; echo up; while :; do read x; done');
  await shows(terminal, 'up');
  terminal.resize(60, 10);
  // A signal that comes just before the shell begins to read is handled when that read is over.
  terminal.write('\r');
  await shows(terminal, '10 60');
  expect(terminal.size).toEqual({ cols: 60, rows: 10 });
});

test('a viewer gets the bytes until it leaves', async () => {
  const terminal = run('read x; echo one; read x; echo two; read x');
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
  screen.write(text);
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
  const terminal = run('stty raw -echo; printf ready; exec cat');
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
  const terminal = run('stty raw -echo; printf ready; exec sleep 60');
  await shows(terminal, 'ready');
  terminal.write('x'.repeat(1_000_000));
  terminal.kill('SIGKILL');
  expect(await exitOf(terminal)).toEqual({ code: undefined, signal: 9 });
});
