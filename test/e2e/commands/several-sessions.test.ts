// Commands for several sessions at once, and what is asked before something is ended by half a name.
import { expect, test } from 'vitest';
import { Pty } from '../../support/pty.ts';
import { Home } from '../support/program.ts';

async function homeWith(...sessions: string[]): Promise<Home> {
  const home = new Home();
  await home.up();
  for (const session of sessions) await home.command('send', '--create', session, 'hi');
  return home;
}

const states = async (home: Home): Promise<Record<string, string>> => {
  const rows = JSON.parse((await home.command('ps', '--json')).stdout) as { key: string; state: string }[];
  return Object.fromEntries(rows.map(({ key, state }) => [key, state]));
};

test('one that does not exist keeps all from being done', async () => {
  await using home = await homeWith('one', 'two');
  const typo = await home.command('stop', 'one', 'tow');
  expect(typo).toMatchObject({ code: 4, stdout: '' });
  expect(typo.stderr).toContain('There is no session "tow".');
  expect(await states(home)).toEqual({ one: 'idle', two: 'idle' });

  const both = await home.command('stop', 'one', 'two');
  expect(both.code).toBe(0);
  expect(both.stderr.match(/^Stopping Claude Code of (?:one|two)\./gm)).toHaveLength(2);
  const idle = await home.command('interrupt', 'one', 'two');
  expect(idle.code).toBe(1);
  expect(idle.stderr).toMatch(/^one: .*\ntwo: /);
});

test('what is removed is named whole, each of it, or nothing is removed', async () => {
  await using home = await homeWith('work1', 'other');
  const half = await home.command('rm', 'other', 'work');
  expect(half.code).toBe(2);
  expect(half.stderr).toContain('Nothing was removed');
  expect(Object.keys(await states(home)).sort()).toEqual(['other', 'work1']);
  const [{ id }] = JSON.parse(
    (await home.command('inspect', 'other', '--json')).stdout.replace(/^(.*)$/s, '[$1]'),
  );
  const whole = await home.command('rm', 'other', 'work1', id, '--json');
  expect(
    whole.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).removed),
  ).toEqual([true, true]);
  expect(await states(home)).toEqual({});
});

test('wait is for all of them, or for the first that is idle, which it names', async () => {
  await using home = await homeWith('one', 'two');
  await home.command('send', '--no-wait', 'two', '[[bash:true]]');
  expect(await home.command('wait', 'one', 'tow')).toMatchObject({ code: 4, stdout: '' });
  const first = await home.command('wait', '--any', 'two', 'on');
  expect(first).toEqual({ code: 0, stdout: 'on', stderr: '' });
  const whole = await home.command('wait', '--any', '--json', 'two', 'on');
  expect(JSON.parse(whole.stdout)).toEqual({ session: 'one', idle: true, state: 'idle' });

  const late = await home.command('wait', '--timeout', '0.1', 'one', 'two');
  expect(late).toMatchObject({ code: 3, stdout: '' });
  expect(late.stderr.split('\n').sort()).toEqual([
    'one is idle (idle).',
    expect.stringContaining('two: "two" is still busy.'),
  ]);
  const none = await home.command('wait', '--any', '--timeout', '0.1', 'two');
  expect(none).toMatchObject({ code: 3, stdout: '' });
  expect(none.stderr).toMatch(/^"two" is still busy\./);
  await home.command('send', '--no-wait', 'one', '[[bash:true]]');
  const neither = await home.command('wait', '--any', '--timeout', '0.1', 'one', 'two');
  expect(neither).toMatchObject({ code: 3, stdout: '' });
  expect(neither.stderr).toContain('None of the 2 sessions became idle in time.');

  const both = home.command('wait', '--json', 'one', 'two', 'one');
  await home.command('stop', 'one', 'two');
  const { code, stdout } = await both;
  const ended = stdout.split('\n').map((line) => JSON.parse(line).session);
  expect([code, ended.sort()]).toEqual([0, ['one', 'two']]);
});

test('at a terminal a half name is asked about, and anything but yes ends nothing', async () => {
  await using home = await homeWith('work1');
  const stop = (...args: string[]) => {
    const options = { cwd: home.cwd, env: home.env({ TERM: 'xterm-256color' }), cols: 80, rows: 24 };
    return new Pty(home.argv('stop', '--state-dir', home.state, ...args), options);
  };
  {
    await using asked = stop('wo');
    await asked.shows('"wo" is the beginning of work1 (idle).');
    asked.type('\r');
    expect(await asked.exited()).toBe(1);
    await asked.shows('Nothing was done.');
  }
  expect(await states(home)).toEqual({ work1: 'idle' });
  {
    await using sure = stop('wo', '--yes');
    expect(await sure.exited()).toBe(0);
    await sure.shows('Stopping Claude Code of wo.');
  }
});

test('at a terminal nobody is asked about a session that is named as ps shows it', async () => {
  await using home = await homeWith('agent:main:main');
  const options = { cwd: home.cwd, env: home.env({ TERM: 'xterm-256color' }), cols: 80, rows: 24 };
  for (const [command, words] of [
    ['restart', 'Claude Code of main runs again'],
    ['rm', 'Removed main.'],
  ] as const) {
    await using sure = new Pty(home.argv(command, '--state-dir', home.state, 'main'), options);
    expect(await sure.exited()).toBe(0);
    await sure.shows(words);
    expect(sure.screen).not.toContain('is the beginning of');
  }
  expect(await states(home)).toEqual({});
});

test.each([['inspect'], ['stop'], ['rm'], ['send'], ['wait'], ['logs'], ['attach'], ['cost']])(
  '%s of a name that is empty says so, and does not take it for all of them',
  async (command) => {
    await using home = new Home();
    const { code, stderr } = await home.command(command, '', ...(command === 'send' ? ['text'] : []));
    expect(code).toBe(2);
    expect(stderr).toContain('It names no session.');
  },
);

test('without a bridge every command says what goes on, and how to get to it', async () => {
  await using home = new Home();
  const bridge = await home.up();
  await home.command('send', '--create', 'notes', 'hi');
  await bridge.kill();
  for (const args of [['inspect', 'notes'], ['approve', 'kqzfd'], ['stop', 'notes'], ['ps']]) {
    const [name = '', ...rest] = args;
    const { code, stderr } = await home.command(name, ...rest);
    expect(code).toBe(6);
    expect(stderr).toContain(
      '1 Claude Code goes on: `synthesis up` takes it over, `synthesis down` ends it.',
    );
  }
  expect((await home.command('down')).code).toBe(0);
  expect((await home.command('inspect', 'notes')).stderr).toContain('Start it with `synthesis up`');
});

test('help shows what --help does, for a command within another one, too', async () => {
  await using home = new Home();
  for (const [words, flags] of [
    [['help'], ['--help']],
    [
      ['help', 'tools', 'add'],
      ['tools', 'add', '--help'],
    ],
  ] as const)
    expect((await home.run([...words])).stdout).toBe((await home.run([...flags])).stdout);
  const typo = await home.run(['help', 'tools', 'ad']);
  expect(typo).toMatchObject({ code: 2, stdout: '' });
  expect(typo.stderr).toContain('Did you mean');
});
