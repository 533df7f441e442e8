// A name of the operator's own: where it is shown, what takes it, and how long it lasts.
import { expect, test } from 'vitest';
import { Pty } from '../../support/pty.ts';
import { Home } from '../support/program.ts';

test('a name is shown and taken wherever a session is, and survives a killed bridge', async () => {
  await using home = new Home();
  const bridge = await home.up();
  await home.command('send', '--create', 'agent:main:one', 'hi');
  const named = await home.command('rename', 'agent', 'Weekly notes');
  expect(named).toEqual({ code: 0, stdout: '', stderr: 'agent:main:one is called Weekly notes now.' });
  await bridge.kill();
  await home.up();

  expect((await home.command('ps')).stdout).toContain('agent:main:one (Weekly notes)');
  const [row] = JSON.parse((await home.command('ps', '--json')).stdout);
  expect(row).toMatchObject({ key: 'agent:main:one', label: 'Weekly notes' });
  expect((await home.command('inspect', 'Weekly notes')).stdout).toMatch(
    /^name +Weekly notes\nkey +agent:main:one$/m,
  );
  expect((await home.command('logs', 'Weekly notes')).stdout).toContain('is called Weekly notes now');
  expect((await home.command('send', 'Weekly', '[[recall]]')).stdout).toContain('[operator] hi');
  {
    const options = { cwd: home.cwd, env: home.env(), cols: 80, rows: 24 };
    await using seat = new Pty(home.argv('attach', '--state-dir', home.state, '--terminal', 'Week'), options);
    await seat.shows(/^ read-only .* \| Weekly notes/m);
  }
  {
    const options = { cwd: home.cwd, env: home.env(), cols: 80, rows: 24 };
    await using seat = new Pty(home.argv('attach', '--state-dir', home.state), options);
    await seat.shows('Weekly notes');
  }

  await home.command('rename', 'Weekly notes', 'weekly');
  const choices = await home.run(['complete', '--state-dir', home.state, '--', 'stop', '']);
  expect(choices.stdout).toMatch(/^weekly\t/m);
  const json = await home.command('rename', '--json', 'weekly', '--clear');
  expect(JSON.parse(json.stdout)).toEqual({ session: 'agent:main:one', label: null });
  expect((await home.command('stop', 'weekly')).code).toBe(4);
});

test('rm takes a whole name, and forgets it', async () => {
  await using home = new Home();
  await home.up();
  for (const session of ['one', 'two']) await home.command('send', '--create', session, 'hi');
  await home.command('rename', 'one', 'release');
  const taken = await home.command('rename', 'two', 'release');
  expect(taken.code).toBe(2);
  expect(taken.stderr).toMatch(/^"release" already means \w+ \(release, one\)\.\nNothing was changed\./);
  expect((await home.command('rm', 'rel', 'two')).code).toBe(2);
  expect((await home.command('rm', 'release', 'two')).code).toBe(0);
  expect((await home.command('journal', 'export')).stdout).not.toContain('release');
  await home.command('send', '--create', 'one', 'hi');
  expect((await home.command('rename', 'one', 'release')).code).toBe(0);
});

test.each([[[]], [['name', '--clear']]])('rename with %j changes nothing', async (args) => {
  await using home = new Home();
  const { code, stderr } = await home.command('rename', 'one', ...args);
  expect(code).toBe(2);
  expect(stderr).toContain('Nothing was changed.');
});
