// `send` at a terminal: what it waits for, what Claude asks, and leaving.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { Pty } from '../../support/pty.ts';
import { until } from '../../support/until.ts';
import { Home } from '../support/program.ts';
import { StandInBridge } from '../support/stand-in-bridge.ts';

const at = (home: Home, ...args: string[]) =>
  new Pty(home.argv('send', '--state-dir', home.state, ...args), {
    cwd: home.cwd,
    env: home.env({ TERM: 'xterm-256color' }),
    cols: 80,
    rows: 24,
  });

const codes = async (home: Home): Promise<string[]> =>
  JSON.parse((await home.command('approvals', '--json')).stdout).map(({ code }: { code: string }) => code);

test('what it waits for is said until the first text, and nothing of that stays', async () => {
  await using home = new Home();
  await home.up({ env: { SIM_START: 'slow:1500' } });
  await using seat = at(home, '--create', 'notes', '[[say:all|is well]]');
  await seat.shows('Claude is starting …');
  expect(await seat.exited()).toBe(0);
  expect(seat.rows.filter((row) => row !== '')).toEqual(['all', 'is well']);
});

test('a message to nobody says how one is opened', async () => {
  await using home = new Home();
  await home.up();
  const { stderr, code } = await home.command('send', 'notes', 'hello');
  expect(code).toBe(4);
  expect(stderr).toBe(
    'There is no session "notes".\nRun `synthesis ps` to see the sessions, or add --create to open one of this name.',
  );
});

test('a question is answered where the message was sent, and the answer goes on', async () => {
  await using home = new Home();
  await home.up({ env: { SIM_START: 'slow:500' } });
  const made = join(home.cwd, 'made');
  const long = `touch ${made}; echo ${'x'.repeat(80)} done`;
  await using seat = at(home, '--create', 'notes', `[[say:first]] [[bash:${long}]] [[say:and then]]`);
  await seat.shows('Claude is starting');
  // Whoever types before the question can be read does not answer it.
  seat.type('y\r');
  await seat.shows('Allow it? (y, s for this session, n, n <reason>):');
  expect(seat.screen).toContain('Claude asks for permission to use Bash');
  expect(seat.rows.filter((row) => /^ {4}[│┊] /.test(row)).length).toBeGreaterThan(1);
  seat.type('perhaps\r');
  await until('the question once more', () => seat.screen.match(/Allow it\?/g)?.length === 2);
  expect(existsSync(made)).toBe(false);
  seat.type('y\r');
  expect(await seat.exited()).toBe(0);
  expect(existsSync(made)).toBe(true);
  await seat.shows('Allowed: Bash in notes.');
  expect(seat.screen).toMatch(/Allowed.*and then/s);
  expect(seat.screen).not.toMatch(/by the operator|is working/);
});

test('no may say why, and a question of Claude takes an answer', async () => {
  await using home = new Home();
  await home.up();
  {
    await using seat = at(home, '--create', 'notes', '[[bash:true]] [[say:well]]');
    await seat.shows('Allow it?');
    seat.type('n use the other one\r');
    await seat.exited();
    await seat.shows('Denied: Bash in notes.');
    expect((await home.command('logs', 'notes', '--json')).stdout).toContain('use the other one');
  }
  {
    await using seat = at(home, 'notes', '[[ask:Which one?|red|blue]]');
    await seat.shows('Your answer (a number or your own words; n declines):');
    seat.type('2\r');
    expect(await seat.exited()).toBe(0);
    await seat.shows('Answered: AskUserQuestion in notes.');
    await seat.shows('AskUserQuestion answered: Which one? blue');
  }
});

test('a question that is answered elsewhere is put away, with who it was', async () => {
  await using home = new Home();
  await home.up();
  await using seat = at(home, '--create', 'notes', '[[bash:true]] [[say:it went on]]');
  await seat.shows('Allow it?');
  seat.type('ye');
  const [code = ''] = await codes(home);
  await home.command('approve', code);
  expect(await seat.exited()).toBe(0);
  await seat.shows(`\`${code}\` (Bash) was allowed by the operator (no terminal: `);
  await seat.shows('it went on');
});

test.each(['an answer', 'a question'])(
  'Ctrl-C at %s says that the message is kept, and leaves',
  async (what) => {
    await using home = new Home();
    await home.up();
    const [text, shows] = what === 'a question' ? ['[[bash:true]]', 'Allow it?'] : ['[[hang]]', 'is working'];
    await using seat = at(home, '--create', 'my notes', text);
    await seat.shows(shows);
    seat.type('\x03');
    expect(await seat.exited()).toBe(130);
    const said = seat.rows.join(' ').replace(/ +/g, ' ');
    expect(said).toContain('Your message is kept, and its turn goes on.');
    expect(said).toContain(
      "`synthesis attach 'my notes'` or `synthesis logs 'my notes'` shows it, `synthesis interrupt 'my notes'` stops it.",
    );
    expect(seat.screen).not.toContain('is working');
    expect((await home.command('interrupt', 'my notes')).code).toBe(0);
  },
);

test('nobody is told that a message is kept before it is; a second Ctrl-C does not wait for that', async () => {
  await using home = new Home();
  await using bridge = await StandInBridge.open();
  bridge.silent.add('session.send');
  const argv = home.argv('send', '--state-dir', bridge.state, 'notes', 'hello');
  await using seat = new Pty(argv, { cwd: home.cwd, env: home.env(), cols: 80, rows: 24 });
  await until('the message', () => bridge.calls.length > 0);
  seat.type('\x03');
  await seat.shows('The message is not stored yet.');
  seat.type('\x03');
  expect(await seat.exited()).toBe(130);
  expect(seat.screen).not.toContain('is kept');
});

test('what was typed to its end as the message is asked nothing, and Ctrl-C leaves as ever', async () => {
  await using home = new Home();
  await home.up();
  await using seat = at(home, '--create', 'notes', '-');
  seat.type('[[bash:true]]\r\x04');
  await seat.shows(/It waits for you: `synthesis approve \w+` or/);
  seat.type('\x03');
  expect(await seat.exited()).toBe(130);
  await seat.shows('Your message is kept');
});

test('several questions come one after another', async () => {
  await using home = new Home();
  await home.up();
  const two = '[[tools:Bash {"command":"true"};Bash {"command":"false"}]]';
  await using seat = at(home, '--create', 'notes', two);
  for (const asked of [1, 2]) {
    await until('a question', () => seat.screen.match(/Allow it\?/g)?.length === asked);
    seat.type('n\r');
  }
  expect(await seat.exited()).toBe(0);
  expect(seat.screen.match(/Denied: Bash in notes\./g)).toHaveLength(2);
});

test('without a terminal a question says what answers it, and programs get events', async () => {
  await using home = new Home();
  await home.up();
  const run = (...args: string[]) => {
    const [file, ...rest] = home.argv('send', '--state-dir', home.state, ...args);
    return execa(file, rest, { env: home.env(), extendEnv: false, stdin: 'ignore', reject: false });
  };
  const words = run('--create', 'notes', '[[ask:Which one?|red|blue]]');
  const [code = ''] = await until('the question', async () => (await codes(home)).length > 0 && codes(home));
  await home.command('approve', code, '--answer', '1');
  const { stderr } = await words;
  expect(stderr).toContain(
    `It waits for you: \`synthesis approve ${code} --answer 1\`, or \`synthesis deny ${code}\` to decline.`,
  );
  expect(stderr).toContain(`\`${code}\` (AskUserQuestion) was allowed by the operator (no terminal: `);

  const json = run('--json', 'notes', '[[bash:true]] [[say:done]]');
  const [next = ''] = await until('the question', async () => (await codes(home)).length > 0 && codes(home));
  await home.command('approve', next);
  const events = (await json).stdout.split('\n').map((line) => JSON.parse(line));
  expect(events).toContainEqual({ event: 'status', state: 'working', words: 'Claude is working …' });
  expect(events).toContainEqual({ event: 'question', code: next, text: expect.stringContaining('│ true') });
  expect(events).toContainEqual({ event: 'decided', code: next, words: expect.stringContaining('allowed') });
  expect(events.at(-1)).toMatchObject({ event: 'result', outcome: 'completed' });
});
