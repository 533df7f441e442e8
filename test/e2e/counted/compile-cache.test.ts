// Compiled code is run as it lies there: it may come from no folder that somebody else could have made or can write in.
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { Home } from '../support/program.ts';

const foldersOf = (home: Home) => {
  const temporary = join(home.path, 'tmp');
  const caches = join(home.path, '.cache');
  const ours = join(caches, 'synthesis');
  mkdirSync(temporary);
  return { temporary, caches, ours, env: { TMPDIR: temporary, XDG_CACHE_HOME: caches } };
};

test('compiled code is kept in a folder of the user’s own, not in the temporary one', async () => {
  await using home = new Home();
  const { temporary, ours, env } = foldersOf(home);
  expect(await home.run(['--version'], { env })).toMatchObject({ code: 0, stderr: '' });
  expect(statSync(ours).mode & 0o777).toBe(0o700);
  expect(readdirSync(ours)).toHaveLength(1);
  expect(readdirSync(temporary)).toEqual([]);
});

test('a bridge keeps what its start needed there, and the next one makes none of it anew', async () => {
  await using home = new Home();
  const { temporary, ours, env } = foldersOf(home);
  await (await home.up({ env })).end();
  const first = keptIn(ours);
  expect([...first.keys()]).toContain('up.cjs.kept');
  await (await home.up({ env })).end();
  expect(keptIn(ours)).toEqual(first);
  expect(readdirSync(temporary)).toEqual([]);
});

test('a short command keeps what it needed apart from others, and the next one makes none of it anew', async () => {
  await using home = new Home();
  const { ours, env } = foldersOf(home);
  await home.run(['--help'], { env });
  const first = keptIn(ours);
  expect([...first.keys()]).toEqual(['main.cjs.--help.kept']);
  await home.run(['--help'], { env });
  expect(keptIn(ours)).toEqual(first);
  await home.run(['--version'], { env });
  expect([...keptIn(ours).keys()].sort()).toEqual(['main.cjs.--help.kept', 'main.cjs.any.kept']);
});

test('SYNTHESIS_HOME keeps it, too', async () => {
  await using home = new Home();
  const { caches, env } = foldersOf(home);
  const own = join(home.path, 'own');
  expect(await home.run(['--version'], { env: { ...env, SYNTHESIS_HOME: own } })).toMatchObject({ code: 0 });
  expect(readdirSync(join(own, 'cache'))).toHaveLength(1);
  expect(existsSync(caches)).toBe(false);
});

test.each<[why: string, make: (folder: string) => void]>([
  ['is open to others', (folder) => chmodSync(made(folder), 0o777)],
  ['is a link', (folder) => symlinkSync(made(`${folder}-elsewhere`), folder)],
])('none is taken from a folder that %s', async (_why, make) => {
  await using home = new Home();
  const { temporary, ours, env } = foldersOf(home);
  make(ours);
  expect(await home.run(['--version'], { env })).toMatchObject({ code: 0, stderr: '' });
  await (await home.up({ env })).end();
  expect([readdirSync(ours), readdirSync(temporary)]).toEqual([[], []]);
});

test.runIf(process.geteuid?.() === 0)('none is taken from a folder of another user', async () => {
  await using home = new Home();
  const { ours, env } = foldersOf(home);
  chownSync(made(ours), 65_534, 65_534);
  expect(await home.run(['--version'], { env })).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(ours)).toEqual([]);
});

/** Name → which file it is. */
const keptIn = (folder: string): Map<string, number> =>
  new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.kept'))
      .map((file) => [basename(file), statSync(join(folder, file)).ino]),
  );

function made(folder: string): string {
  mkdirSync(folder, { recursive: true });
  return folder;
}
