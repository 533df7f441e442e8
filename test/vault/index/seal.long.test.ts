import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { IndexDamage } from '../../../src/vault/index/index-damage.ts';
import { checkSeal, seal } from '../../../src/vault/index/seal.ts';

let dir: string;
let file: string;
let sealFile: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'seal-'));
  file = join(dir, '1.db');
  sealFile = join(dir, '1.seal');
  writeFileSync(file, Buffer.alloc(3 * 1024 * 1024 + 17, 'note'));
  seal(file, sealFile);
});
afterEach(() => rmSync(dir, { recursive: true }));

test('a file that is as it was sealed is whole', () => {
  expect(checkSeal(file, sealFile)).toBe(true);
});

test('without a seal nothing is known', () => {
  rmSync(sealFile);
  expect(checkSeal(file, sealFile)).toBe(false);
});

test.each([
  ['the first byte', 0],
  ['a byte in the middle', 1_500_000],
  ['the last byte', 3 * 1024 * 1024 + 16],
])('%s is another one', (_, at) => {
  const bytes = readFileSync(file);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(file, bytes);
  expect(() => checkSeal(file, sealFile)).toThrow(IndexDamage);
});

test('a file that is shorter, or longer, is damaged', () => {
  truncateSync(file, 1024 * 1024);
  expect(() => checkSeal(file, sealFile)).toThrow(IndexDamage);
  seal(file, sealFile);
  appendFileSync(file, 'x');
  expect(() => checkSeal(file, sealFile)).toThrow(IndexDamage);
});

test.each(['', '{}', '{"size":1', 'null'])('a seal that says %j is damaged', (text) => {
  writeFileSync(sealFile, text);
  expect(() => checkSeal(file, sealFile)).toThrow(IndexDamage);
});

test('a seal that was changed by hand is damaged', () => {
  const bytes = readFileSync(file);
  bytes[5] = 0;
  writeFileSync(file, bytes);
  const other = join(dir, 'other.seal');
  seal(file, other);
  const { parts } = JSON.parse(readFileSync(other, 'utf8')) as { parts: number[] };
  const mine = JSON.parse(readFileSync(sealFile, 'utf8')) as object;
  writeFileSync(sealFile, JSON.stringify({ ...mine, parts }));
  expect(() => checkSeal(file, sealFile)).toThrow('checksums');
});
