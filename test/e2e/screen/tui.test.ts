// The operator's screen, as an operator has it: the built program in a real terminal, a bridge and simulated Claudes.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { Pty } from '../../support/pty.ts';
import { until } from '../../support/until.ts';
import { Home } from '../support/program.ts';
import { takeTour } from '../support/tour.ts';
import { Tui } from '../support/tui.ts';

const telegram = 'agent:main:telegram:direct:4242';
const sizes = [
  [80, 24],
  [200, 50],
] as const;

const attach = (home: Home, columns: number, rows: number, env: Record<string, string> = {}): Tui =>
  new Tui(['attach', '--state-dir', home.state], home.env({ TZ: 'UTC', ...env }), columns, rows);

test.each(sizes)(
  'at %i×%i an operator watches three sessions, answers, looks, writes, and leaves',
  (columns, rows) => takeTour(Pty, columns, rows),
  120_000,
);

test('ctrl-l draws the same picture again', async () => {
  await using home = new Home();
  const bridge = await home.up();
  await bridge.ask(telegram, 'hello');
  await using tui = attach(home, 80, 24);
  await tui.shows('You said: [user] hello');
  await tui.shows(/1 session · 0 working/);
  // What the bridge tells meanwhile changes the picture, too: sooner or later nothing comes any more.
  await until('the same picture twice', async () => {
    const { screen, raw } = tui;
    tui.type('\x0c');
    await until('another one', () => /\x1b\[\?1049h.*\x1b\[\?2026l$/s.test(tui.raw.slice(raw.length)));
    await tui.drawn();
    return tui.screen === screen;
  });
});

test('a denial with a reason reaches Claude', async () => {
  await using home = new Home();
  const bridge = await home.up();
  await using tui = attach(home, 80, 24);
  bridge.says(telegram, '[[bash:make deploy]]');
  await tui.shows('1 to answer');
  tui.type('p');
  await tui.shows('│ make deploy');
  tui.type('d');
  await tui.shows('why?');
  tui.type('not on a Friday\r');
  await tui.shows(/\w{5} denied/);
  await tui.shows('⊘ denied');
  await tui.shows(/⊘ Bash {2}denied/);
  const { stdout } = await home.command('logs', telegram, '--json');
  expect(stdout).toContain('"reason":"not on a Friday"');
});

test('the session that was named is chosen, and one that is not there is an error before anything is drawn', async () => {
  await using home = new Home();
  const bridge = await home.up();
  await bridge.ask(telegram, 'one');
  await bridge.ask('webchat', 'two');
  await using tui = new Tui(['attach', 'webch', '--state-dir', home.state], home.env(), 80, 24);
  await tui.shows(/▸ webchat/);
  await tui.shows('You said: [user] two');
  await using none = new Tui(['attach', 'nobody', '--state-dir', home.state], home.env(), 80, 24);
  expect(await none.exited()).toBe(4);
  expect(none.raw).not.toContain('\x1b[?1049h');
  expect(none.screen).toContain('There is no session "nobody".');
});

test("t shows Claude's own screen, and leaving it comes back to ours", async () => {
  await using home = new Home();
  const bridge = await home.up();
  await bridge.ask(telegram, 'hello');
  await using tui = attach(home, 100, 30);
  await tui.shows('You said: [user] hello');
  tui.type('t');
  await tui.shows('ctrl-p ctrl-q detaches');
  tui.type('\x10\x11');
  await tui.shows('1 Sessions');
  tui.type('m');
  tui.type('keys are ours again');
  await tui.shows('❯ keys are ours again');
});

test('Ctrl-Z without a shell that could go on with it changes nothing', async () => {
  await using home = new Home();
  await home.up();
  await using tui = attach(home, 80, 24);
  await tui.shows('No sessions yet');
  tui.type('\x1a');
  await until('the terminal to be handed over and taken back', () =>
    /\x1b\[\?1049l.*\x1b\[\?1049h/s.test(tui.raw),
  );
  tui.type('?');
  await tui.shows('Everywhere');
});

describe('the terminal is given back', () => {
  test('by Ctrl-Z, also while text is typed, and fg comes back to a whole screen', async () => {
    await using home = new Home();
    const bridge = await home.up();
    await bridge.ask(telegram, 'hello');
    await using shell = new Pty(['bash', '--norc', '--noprofile', '-i'], {
      cwd: home.cwd,
      env: home.env({ TZ: 'UTC', PS1: 'prompt> ' }),
      cols: 80,
      rows: 24,
    });
    await shell.shows('prompt>');
    shell.type(`${home.argv('attach', '--state-dir', home.state).join(' ')}\r`);
    await shell.shows('You said: [user] hello');
    for (const [before, shown] of [
      ['', '1 Sessions'],
      ['mnot sent yet', '❯ not sent yet'],
    ] as const) {
      shell.type(before);
      await shell.shows(shown);
      shell.type('\x1a');
      await shell.shows(/Stopped/);
      expect(shell.buffer).toBe('normal');
      expect(shell.cursor.shown).toBe(true);
      // The shell edits lines again, and the terminal echoes.
      shell.type('echo back-$((40+2))x\x7f\r');
      await shell.shows(/^back-42$/m);
      shell.type('clear; fg\r');
      await shell.shows(shown);
      await shell.shows('You said: [user] hello');
      expect(shell.buffer).toBe('alternate');
      await shell.hides('back-42');
    }
    shell.type('?');
    await shell.shows('not sent yet?');
    shell.type('\x03');
    await shell.shows(/^prompt>/m);
    expect(shell.buffer).toBe('normal');
    shell.type('exit\r');
    await shell.exited();
  }, 60_000);

  test.each(['SIGTERM', 'SIGHUP'] as const)('on %s', async (signal) => {
    await using home = new Home();
    await home.up();
    await using tui = attach(home, 80, 24);
    await tui.shows('No sessions yet');
    tui.signal(signal);
    expect(await tui.exited()).toBe(130);
    expect(tui.buffer).toBe('normal');
    expect(tui.cursor.shown).toBe(true);
  });

  test('when the program breaks', async () => {
    await using home = new Home();
    await home.up();
    const bomb = join(home.path, 'bomb.mjs');
    writeFileSync(bomb, "process.on('SIGUSR2', () => { throw new Error('broken on purpose'); });");
    await using tui = attach(home, 80, 24, { NODE_OPTIONS: `--import ${pathToFileURL(bomb).href}` });
    await tui.shows('No sessions yet');
    process.kill(tui.pid, 'SIGUSR2');
    expect(await tui.exited()).not.toBe(0);
    expect(tui.buffer).toBe('normal');
    expect(tui.cursor.shown).toBe(true);
    await tui.shows('broken on purpose');
  });
});

test('a question rings the bell once; with osc777 it is a notification in words, and nothing rings for what waits already', async () => {
  await using home = new Home();
  const bridge = await home.up();
  await using rings = attach(home, 80, 24);
  await rings.shows('No sessions yet');
  home.configure({ notify: { terminal: 'osc777' } });
  await using tells = attach(home, 80, 24);
  await tells.shows('No sessions yet');
  bridge.says(telegram, '[[bash:make deploy]]');
  await rings.shows('1 to answer');
  await tells.shows('1 to answer');
  await until('the notification', () => tells.raw.includes('\x1b]777;notify;'));
  expect(tells.raw).toContain(
    `\x1b]777;notify;Claude asks for permission: Bash;${telegram}: make deploy\x07`,
  );
  await until('the bell', () => rings.raw.includes('\x07'));
  await using later = attach(home, 80, 24);
  await later.shows('1 to answer');
  for (const each of [rings, tells, later]) await each.drawn();
  expect(rings.raw.split('\x07')).toHaveLength(2);
  expect(tells.raw.split('\x1b]777;')).toHaveLength(2);
  expect(later.raw).not.toMatch(/\x07|\x1b\]777/);
});

test('a file that would be written is compared with what lies there, and allowed by its exact text', async () => {
  await using home = new Home();
  const bridge = await home.up();
  const file = join(home.cwd, 'a.txt');
  writeFileSync(file, 'old words');
  await using tui = attach(home, 120, 40);
  await tui.shows('No sessions yet');
  bridge.says(telegram, `[[write:${file} new words]]`);
  await tui.shows('1 to answer');
  tui.type('p');
  await tui.shows('v as a diff');
  tui.type('v');
  await tui.shows('- old words');
  await tui.shows('+ new words');
  tui.type('v');
  await tui.shows('"content": "new words"');
  tui.type('a');
  await tui.shows('Allow it this once?');
  tui.type('\u0019');
  await until('the file', () => readFileSync(file, 'utf8') === 'new words');
});

test('nothing reaches the clipboard unless the configuration says so', async () => {
  await using home = new Home();
  const bridge = await home.up();
  await bridge.ask(telegram, 'hello');
  await using tui = attach(home, 80, 24);
  await tui.shows('You said: [user] hello');
  tui.type('c');
  await tui.shows('Copying is off');
  home.configure({ attach: { copy: true } });
  await using other = attach(home, 80, 24);
  await other.shows('You said: [user] hello');
  other.type('c');
  await other.shows('was handed to the clipboard');
  expect(other.raw).toContain(`\x1b]52;c;${Buffer.from(telegram).toString('base64')}\x07`);
  expect(tui.raw).not.toContain('\x1b]52');
});
