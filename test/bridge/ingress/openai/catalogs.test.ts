// Lists of tools that are equal are one.
import { expect, test } from 'vitest';
import { Catalogs } from '../../../../src/bridge/ingress/openai/catalogs.ts';

const list = (name: string) => [
  { name, description: 'd', parameters: { type: 'object', properties: { a: { type: 'string' } } } },
];

test('an equal list is the one that came first, and another is another', () => {
  const catalogs = new Catalogs();
  const first = list('a');
  expect(catalogs.change(undefined, first)).toBe(first);
  expect(catalogs.change(undefined, list('a'))).toBe(first);
  const other = list('b');
  expect(catalogs.change(undefined, other)).toBe(other);
  expect(catalogs.change(undefined, list('a'))).toBe(first);
  expect(catalogs.change(undefined, [...first, ...other])).not.toBe(first);
  const bare = list('a').map((tool) => ({ ...tool, parameters: { type: 'object' } }));
  expect(catalogs.change(undefined, bare)).toBe(bare);
});

test('of many lists those that are used are kept, the others are let go', () => {
  const catalogs = new Catalogs();
  const used = list('used');
  const once = list('once');
  for (const each of [used, once]) catalogs.change(undefined, each);
  for (let n = 0; n < 20; n += 1) {
    catalogs.change(undefined, list(`tool ${n}`));
    expect(catalogs.change(undefined, list('used'))).toBe(used);
  }
  expect(catalogs.change(undefined, list('once'))).not.toBe(once);
});

test('what is lent already is no change, by what it says and not by which it is', () => {
  const catalogs = new Catalogs();
  expect(catalogs.change(list('a'), list('a'))).toBeUndefined();
  expect(catalogs.change(list('a'), [])).toEqual([]);
  expect(catalogs.change([], [])).toBeUndefined();
});
