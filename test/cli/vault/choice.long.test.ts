// Which vault a command is about, and what is said where there is none.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exitCodes } from '../../../src/cli/exit-codes.ts';
import { World } from '../tools/world.ts';

const commands = [['index'], ['search', 'x'], ['status'], ['doctor'], ['serve']];

test.each(commands)('without a vault, %s says how to name one', async (...words) => {
  await using world = new World();
  const { code, out, err } = await world.run('vault', ...words);
  expect([code, out]).toEqual([exitCodes.usage, '']);
  expect(err).toBe(
    `No vault is configured (${world.config}).\nName the folder of your notes: synthesis vault init <folder>.\n`,
  );
});

test.each(commands)('a typo in the configuration ends %s with the name of it', async (...words) => {
  await using world = new World();
  world.write({ vault: { path: '/notes', inculde: ['*.md'] } });
  const { code, err } = await world.run('vault', ...words);
  expect(code).toBe(exitCodes.usage);
  expect(err).toContain('inculde');
});

test('a profile that there is not is answered with those that have a vault', async () => {
  await using world = new World();
  world.write({
    profiles: [{ match: 'a:*', vault: { path: '/a' } }, { match: 'b:*', vault: false }, { match: 'c:*' }],
  });
  const { code, err } = await world.run('vault', 'status', '--profile', 'd:*');
  expect(code).toBe(exitCodes.usage);
  expect(err).toBe(
    `No profile in ${world.config} has the match "d:*".\nThese have a vault of their own: a:*\n`,
  );
  const without = await world.run('vault', 'status', '--profile', 'b:*');
  expect(without.err).toContain('No vault is configured for the profile "b:*"');
  expect(without.err).toContain('These profiles have one (--profile): a:*');
});

test('the vault of a profile is that of the others, unless it has one of its own', async () => {
  await using world = new World();
  const [all, own] = ['all', 'own'].map((name) => join(world.home, name));
  for (const folder of [all, own]) mkdirSync(String(folder));
  world.write({
    vault: { path: all },
    profiles: [{ match: 'a:*', vault: { path: own } }, { match: 'b:*' }],
  });
  const folder = async (...words: string[]) =>
    JSON.parse((await world.run('vault', 'status', '--json', ...words)).out).data.folder;
  expect(await folder()).toBe(all);
  expect(await folder('--profile', 'a:*')).toBe(own);
  expect(await folder('--profile', 'b:*')).toBe(all);
});
