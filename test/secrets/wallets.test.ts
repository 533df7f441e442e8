import { describe, expect, test } from 'vitest';
import { wallets } from '../../src/secrets/wallets.ts';
import { base58Check, chance } from './published-kinds.ts';

const found = (text: string): string[] =>
  [...wallets(text)].map(({ start, end, kind }) => `${kind}: ${text.slice(start, end)}`);
const hex = (text: string): Buffer => Buffer.from(text, 'hex');

/** A key alone: its net, 32 bytes, and 01 when it is compressed. */
const single = (net: string, compressed: string): string =>
  base58Check(Buffer.concat([hex(net), chance(32), hex(compressed)]));
/** A key of a tree, by its version of SLIP 132. */
const tree = (version: string): string => base58Check(Buffer.concat([hex(version), chance(74)]));

const singles = [
  ['5', 'main', '80', ''],
  ['L', 'main', '80', '01'],
  ['9', 'test', 'ef', ''],
  ['c', 'test', 'ef', '01'],
] as const;
const trees = [
  ['xprv', '0488ade4'],
  ['yprv', '049d7878'],
  ['zprv', '04b2430c'],
  ['tprv', '04358394'],
  ['uprv', '044a4e28'],
  ['vprv', '045f18bc'],
] as const;

/** The same with another sign at a place. */
const broken = (key: string, at: number): string =>
  key.slice(0, at) + (key.charAt(at) === 'z' ? 'y' : 'z') + key.slice(at + 1);

describe.each(singles)('a key that begins with %s, of the %s net,', (head, _, net, compressed) => {
  const key = single(net, compressed);

  test('is found', () => {
    expect(key.charAt(0)).toBe(head);
    expect(found(`a ${key}, b`)).toEqual([`Bitcoin key: ${key}`]);
  });

  test('is not found in a longer word, or where its check sum does not fit', () => {
    for (const text of [`x${key}`, `${key}0`, broken(key, key.length - 1), broken(key, 20)])
      expect(found(text)).toEqual([]);
  });
});

test('a key of another net is not found', () => {
  const key = single('81', '');
  expect(key).toMatch(/^5.{50}$/);
  expect(found(key)).toEqual([]);
});

describe.each(trees)('a key that begins with %s', (head, version) => {
  const key = tree(version);

  test('is found', () => {
    expect(key.slice(0, 4)).toBe(head);
    expect(found(`a ${key}, b`)).toEqual([`wallet key: ${key}`]);
  });

  test('is not found in a longer word, or where its check sum does not fit', () => {
    for (const text of [`x${key}`, `${key}0`, broken(key, key.length - 1), broken(key, 20)])
      expect(found(text)).toEqual([]);
  });
});
