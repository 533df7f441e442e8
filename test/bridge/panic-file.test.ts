import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PanicFile } from '../../src/bridge/panic-file.ts';
import { layDownPanic, liftPanic } from '../../src/bridge/panic-offline.ts';
import { tempDir } from './journal/temp-dir.ts';

const record = { since: 1_790_000_000_000, by: 'the operator', reason: 'a runaway loop' };

test('what was saved is there for the next start, for the user alone, and nothing once it was cleared', () => {
  const dir = tempDir();
  const file = new PanicFile(dir);
  expect(file.load()).toBeUndefined();
  file.save(record);
  expect(new PanicFile(dir).load()).toEqual(record);
  expect(statSync(join(dir, 'panic.json')).mode & 0o777).toBe(0o600);
  file.clear();
  file.clear();
  expect([file.load(), readdirSync(dir)]).toEqual([undefined, []]);
});

test.each(['', '{', '{"since":"yesterday"}', 'null'])('a file that cannot be read holds: %j', (text) => {
  const dir = tempDir();
  writeFileSync(join(dir, 'panic.json'), text);
  expect(new PanicFile(dir).load()).toMatchObject({ by: expect.stringContaining('cannot be read') });
});

test('a folder in its place is refused, as whatever somebody else may have put there', () => {
  const dir = tempDir();
  mkdirSync(join(dir, 'panic.json'));
  expect(() => new PanicFile(dir).load()).toThrow('is not a plain file');
});

test('without a bridge it is laid down in a folder of its own, once, and lifted once', () => {
  const dir = join(tempDir(), 'not/there/yet');
  expect(layDownPanic(dir, record)).toEqual({ record, already: false });
  expect(layDownPanic(dir, { since: 2, by: 'somebody else' })).toEqual({ record, already: true });
  expect(liftPanic(dir)).toEqual(record);
  expect(liftPanic(dir)).toBeUndefined();
});
