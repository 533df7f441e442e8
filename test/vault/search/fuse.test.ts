import { expect, test } from 'vitest';
import { fused } from '../../../src/vault/search/fuse.ts';

test('one order alone stays as it is', () => {
  expect(fused([{ names: ['a', 'b', 'c'], weight: 1 }])).toEqual(['a', 'b', 'c']);
});

test('what both orders have comes before what one has', () => {
  const words = { names: ['a', 'b', 'c'], weight: 1 };
  const meaning = { names: ['b', 'd'], weight: 1 };
  expect(fused([words, meaning])[0]).toBe('b');
});

test('an order that counts three times as much is only corrected by the other', () => {
  const words = { names: ['a', 'b', 'c', 'd'], weight: 3 };
  const meaning = { names: ['z', 'y', 'x'], weight: 1 };
  const all = fused([words, meaning]);
  expect(all.slice(0, 4)).toEqual(['a', 'b', 'c', 'd']);
  expect(fused([words, { names: ['d'], weight: 1 }])[0]).toBe('d');
});

test('nothing is made of nothing', () => {
  expect(fused([])).toEqual([]);
});
