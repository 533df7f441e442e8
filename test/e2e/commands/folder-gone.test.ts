// The folder that a command is run in, or that the bridge was started in, was deleted.
import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { Home, type Ran, simulatedClaude } from '../support/program.ts';

/** As at a terminal whose folder somebody has deleted. */
async function inGoneFolder(home: Home, ...args: string[]): Promise<Ran> {
  const gone = join(home.path, 'gone');
  mkdirSync(gone);
  const { exitCode, stdout, stderr } = await execa(
    'sh',
    ['-c', 'rmdir "$PWD" && exec "$@"', 'sh', ...home.argv(...args)],
    { cwd: gone, env: home.env(), extendEnv: false, reject: false, timeout: 30_000, stdin: 'ignore' },
  );
  return { code: exitCode, stdout, stderr };
}

const words =
  'The folder you are in does not exist any more. What was kept before is still there.\nGo to one that exists (`cd`), and run the same command again.';

test.each([
  'up',
  'up -d',
  'doctor',
  'init',
  'service install',
  'openclaw status',
  'tools add x -- cat',
  'vault init notes',
])('%s says that the folder is gone', async (command) => {
  await using home = new Home();
  expect(await inGoneFolder(home, ...command.split(' '))).toEqual({ code: 2, stdout: '', stderr: words });
});

test('as JSON, too', async () => {
  await using home = new Home();
  const { code, stdout } = await inGoneFolder(home, 'up', '--json');
  expect([code, JSON.parse(stdout)]).toMatchObject([2, { error: { code: 'bad_folder' } }]);
});

test('what needs no folder works without one', async () => {
  await using home = new Home();
  expect((await inGoneFolder(home, 'ps')).code).toBe(6);
  expect((await inGoneFolder(home, 'config', 'path')).code).toBe(0);
  expect(await inGoneFolder(home, 'demo')).toMatchObject({ code: 0, stderr: '' });
});

test('a bridge whose first folder is gone goes on where its sessions work', async () => {
  await using home = new Home();
  const places = ['--port', '0', '--cwd', home.path];
  const bridge = await home.up({
    args: ['--claude', simulatedClaude, '--delivery', 'terminal', ...places],
    places: false,
  });
  rmdirSync(home.cwd);
  expect(await bridge.ask('agent:main:main', 'hello')).toContain('You said: [user] hello');
});
