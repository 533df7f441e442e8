// `synthesis docs`: found by name, given as it is to programs, and shown by a pager to people.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { docs } from '../../../src/cli/commands/docs.ts';
import { page } from '../../../src/cli/docs/pager.ts';
import { pages } from '../../../src/cli/docs/pages.ts';
import { sourceFiles } from '../../docs/pages.ts';

const folder = mkdtempSync(join(tmpdir(), 'synthesis-docs-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('every page has a name of its own and a title, guides first', () => {
  const names = pages().map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.indexOf('troubleshooting')).toBeLessThan(names.indexOf('config'));
  expect(pages().filter(({ title }) => title.endsWith('.md'))).toEqual([]);
});

test.each([
  ['toubleshooting', 'Did you mean troubleshooting?'],
  ['zzz', 'All of them: synthesis docs'],
  ['../../package.json', 'All of them: synthesis docs'],
  ['', 'All of them: synthesis docs'],
])('a page that does not exist is answered with the nearest: %j', async (name, suggestion) => {
  await expect(docs(name, { json: false })).rejects.toMatchObject({
    exit: 'not_found',
    code: 'unknown_page',
    suggestion,
  });
});

test('a message names only pages that there are, and none by a path that an installed program has elsewhere', () => {
  const texts = sourceFiles().map(({ text }) => text.replace(/^\s*(?:\/\/|\*|\/\*\*).*$/gm, ''));
  const named = texts.flatMap((text) =>
    [...text.matchAll(/synthesis docs ([a-z-]+)/g)].map(([, name = '']) => name),
  );
  const known = pages().map(({ name }) => name);
  expect(named.length).toBeGreaterThan(1);
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
  expect(texts.flatMap((text) => text.match(/docs\/(?:guides|reference)\/[\w-]+\.md/g) ?? [])).toEqual([]);
});

test('a pager gets the whole text, and one that is not there shows nothing', async () => {
  const taken = join(folder, 'taken');
  const pager = join(folder, 'my pager');
  writeFileSync(pager, `#!/bin/sh\ncat > '${taken}'\nprintf %s "$LESS" >> '${taken}'\n`);
  chmodSync(pager, 0o700);
  const long = `${'x'.repeat(79)}\n`.repeat(20_000);
  const env = { PATH: process.env.PATH };
  expect(await page(long, { ...env, PAGER: `'${pager}'` })).toBe(true);
  expect(readFileSync(taken, 'utf8')).toBe(`${long}FRX`);
  expect(await page('text', { ...env, PAGER: resolve(folder, 'nowhere') })).toBe(false);
  expect(await page('text', { ...env, PAGER: 'cat' })).toBe(false);
});

test('a pager that is left before it has read everything is no trouble', async () => {
  expect(await page('x\n'.repeat(1_000_000), { PATH: process.env.PATH, PAGER: 'head -1 >/dev/null' })).toBe(
    true,
  );
});
