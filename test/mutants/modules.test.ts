import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import equivalent from './equivalent.json' with { type: 'json' };
import { modules } from './modules.ts';

const isThere = (pattern: string) =>
  globSync(pattern, { cwd: resolve(import.meta.dirname, '../..') }).length > 0;

test.each(Object.entries(modules))('what is broken of %s, and who is to notice, is there', (_, named) => {
  const patterns = [...named.mutate, ...named.tests].map((each) => each.replace(/^!/, ''));
  expect(patterns.filter((each) => !isThere(each))).toEqual([]);
});

test('what no test can notice is explained of files that are there', () => {
  expect(equivalent.map(({ file }) => file).filter((file) => !isThere(file))).toEqual([]);
});
