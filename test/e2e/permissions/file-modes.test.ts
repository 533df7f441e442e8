// What other users of the machine find after a bridge has done all it does, without a umask to help it.
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { Home } from '../support/program.ts';

const png = `data:image/png;base64,${Buffer.from('a picture').toString('base64')}`;

/** A full run: a picture, a question and its answer, the operator's commands, a second start. */
async function busyHome(): Promise<{ home: Home; run: string; control: string }> {
  const umask = process.umask(0);
  const home = new Home();
  onTestFinished(async () => {
    process.umask(umask);
    await home[Symbol.asyncDispose]();
  });
  // Nothing above keeps anybody out.
  chmodSync(home.path, 0o755);
  const run = join(home.path, 'run');
  mkdirSync(run, { mode: 0o755 });
  const env = { XDG_RUNTIME_DIR: run };
  await home.up({ env });
  expect((await home.command('down')).code).toBe(0);
  const bridge = await home.up({ env });
  await bridge.client('album').chat.completions.create({
    model: 'claude',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image_url', image_url: { url: png } },
        ],
      },
    ],
  });
  const [code = ''] = /(?<=yes )[a-z]{5}/.exec(await bridge.ask('../../etc', '[[bash:echo hello]]')) ?? [];
  expect((await home.command('approve', code)).code).toBe(0);
  await home.command('wait', '../../etc');
  return { home, run, control: bridge.at.control };
}

test('after a full run with umask 000 every folder of the bridge is 0700 and every file 0600', async () => {
  const { home, run, control } = await busyHome();
  const below = (dir: string) =>
    readdirSync(dir, { recursive: true, encoding: 'utf8' }).map((name) => join(dir, name));
  const paths = [home.state, ...below(home.state), ...below(run)];
  const inside = (name: string) => paths.some((path) => path.startsWith(join(home.state, name)));
  expect(
    [
      ...['token', 'bridge.json', 'bridge.log', 'journal.db-wal', 'media/', 'sessions/', 'locks/'],
      ...['run/', 'secrets/hosts'],
    ].filter((name) => !inside(name)),
  ).toEqual([]);
  expect(paths).toContain(control);
  for (const path of paths) {
    const stats = statSync(path);
    expect([path, (stats.mode & 0o777).toString(8)]).toEqual([path, stats.isDirectory() ? '700' : '600']);
  }
});

// Only root can become somebody else.
test.runIf(process.geteuid?.() === 0)(
  'another user can neither read a file of the bridge nor connect to its socket',
  async () => {
    const { home, control } = await busyHome();
    const look = `const said = (error) => console.log(error ? error.code : 'open');
    require('fs').readFile(process.argv[1], said);
    require('net').connect(process.argv[2], () => said()).on('error', said).unref();`;
    const as = async (uid: number, file: string) => {
      const { stdout } = await execa(process.execPath, ['-e', look, file, control], {
        uid,
        gid: uid,
        cwd: '/',
      });
      return stdout.split('\n');
    };
    for (const file of ['token', 'journal.db', 'bridge.json', 'bridge.log'])
      expect(await as(65_534, join(home.state, file))).toEqual(['EACCES', 'EACCES']);
    expect(await as(0, join(home.state, 'token'))).toEqual(['open', 'open']);
  },
);
