// Lists of tools that are equal are one.
import { expect, test } from 'vitest';
import { Catalogs } from '../../../../src/bridge/ingress/openai/catalogs.ts';

const list = (name: string) => [
  { name, description: 'd', parameters: { type: 'object', properties: { a: { type: 'string' } } } },
];

test('an equal list is the one that came first, and another is another', () => {
  const catalogs = new Catalogs();
  const first = list('a');
  expect(catalogs.one(first)).toBe(first);
  expect(catalogs.one(list('a'))).toBe(first);
  const other = list('b');
  expect(catalogs.one(other)).toBe(other);
  expect(catalogs.one(list('a'))).toBe(first);
  expect(catalogs.one([...first, ...other])).not.toBe(first);
  const bare = list('a').map((tool) => ({ ...tool, parameters: { type: 'object' } }));
  expect(catalogs.one(bare)).toBe(bare);
});

test('of many lists those that are used are kept, the others are let go', () => {
  const catalogs = new Catalogs();
  const used = list('used');
  const once = list('once');
  for (const each of [used, once]) catalogs.one(each);
  for (let n = 0; n < 20; n += 1) {
    catalogs.one(list(`tool ${n}`));
    expect(catalogs.one(list('used'))).toBe(used);
  }
  expect(catalogs.one(list('once'))).not.toBe(once);
});
