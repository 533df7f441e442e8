// The file that takes rows while the disk is full: what is read back from it after a crash.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { genesis } from '../../../src/bridge/journal/hash-chain.ts';
import { Reserve } from '../../../src/bridge/journal/reserve.ts';
import { otherKey, theKey } from './sealed-journal.ts';
import { tempDir } from './temp-dir.ts';

const row = (seq: number, text = 'x') => ({ seq, at: 1, session: '"s"', body: JSON.stringify({ text }) });
const spill = (seq: number, text?: string) => ({ base: genesis, rows: [row(seq, text)] });

function open(path: string, key = theKey) {
  const opened = Reserve.open(path, key);
  onTestFinished(() => opened.reserve.close());
  return opened;
}
const fresh = () => join(tempDir(), 'journal.reserve');

test('has its whole size from the start, and gives back in order what it took', () => {
  const path = fresh();
  const { reserve, found } = open(path);
  expect([found, statSync(path).size]).toEqual([[], 2 * 1024 * 1024]);
  expect([reserve.add(spill(1)), reserve.add(spill(2, 'line\nline\0'))]).toEqual([true, true]);
  expect(open(path).found).toEqual([spill(1), spill(2, 'line\nline\0')]);
  expect(statSync(path).size).toBe(2 * 1024 * 1024);
});

test('goes on behind what lay in it', () => {
  const path = fresh();
  open(path).reserve.add(spill(1));
  open(path).reserve.add(spill(2));
  expect(open(path).found).toEqual([spill(1), spill(2)]);
});

test('takes what fits, to the last byte, and refuses the rest whole', () => {
  const path = fresh();
  const { reserve } = open(path);
  let taken = 0;
  while (reserve.add(spill(taken + 1, 'x'.repeat(50_000)))) taken += 1;
  expect(taken).toBeGreaterThan(35);
  expect(reserve.add(spill(taken + 1))).toBe(true);
  expect(open(path).found).toHaveLength(taken + 1);
});

test('what was cleared does not come back, also behind new lines of the same length', () => {
  const path = fresh();
  const { reserve } = open(path);
  for (const seq of [1, 2, 3]) reserve.add(spill(seq));
  reserve.clear();
  expect(open(path).found).toEqual([]);
  reserve.add(spill(4));
  expect(open(path).found).toEqual([spill(4)]);
});

test('a line that was torn, changed, or sealed with another key ends it', () => {
  const path = fresh();
  const { reserve } = open(path);
  for (const seq of [1, 2, 3]) reserve.add(spill(seq));
  expect(open(path, otherKey).found).toEqual([]);
  const bytes = readFileSync(path);
  const second = bytes.indexOf('\n') + 1;
  const changed = Buffer.from(bytes);
  changed.write('9', bytes.indexOf('"seq":2') + '"seq":'.length);
  writeFileSync(path, changed);
  expect(open(path).found).toEqual([spill(1)]);
  const torn = Buffer.from(bytes).fill(0, second + 40);
  writeFileSync(path, torn);
  expect(open(path).found).toEqual([spill(1)]);
});
