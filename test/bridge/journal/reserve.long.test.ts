// The file that takes rows while the disk is full: what is read back from it after a crash.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { genesis } from '../../../src/bridge/journal/chain/hash-chain.ts';
import { decodeHead } from '../../../src/bridge/journal/chain/head-file.ts';
import type { SqliteJournal } from '../../../src/bridge/journal/sqlite-journal.ts';
import { openJournal } from '../../../src/bridge/journal/start/open-journal.ts';
import { Reserve } from '../../../src/bridge/journal/store/reserve.ts';
import { delta } from './sample-events.ts';
import { otherKey, sealedJournal, theKey, verify } from './sealed-journal.ts';
import { tempDir } from './temp-dir.ts';

const row = (seq: number, text = 'x') => ({ seq, at: 1, session: '"s"', body: JSON.stringify({ text }) });
const spill = (seq: number, text?: string) => ({ base: genesis, rows: [row(seq, text)] });

function open(path: string, key = theKey) {
  const opened = Reserve.open(path, key);
  onTestFinished(() => opened.reserve.close());
  return opened;
}
const fresh = () => join(tempDir(), 'journal.reserve');

test('has its whole size from the start, and gives back in order what it took', async () => {
  const path = fresh();
  const { reserve, found, isWhole } = open(path);
  expect(isWhole).toBe(true);
  expect([found, statSync(path).size]).toEqual([[], 2 * 1024 * 1024]);
  expect([await reserve.add(spill(1)), await reserve.add(spill(2, 'line\nline\0'))]).toEqual([true, true]);
  expect(open(path).found).toEqual([spill(1), spill(2, 'line\nline\0')]);
  expect(statSync(path).size).toBe(2 * 1024 * 1024);
});

test('goes on behind what lay in it', async () => {
  const path = fresh();
  await open(path).reserve.add(spill(1));
  await open(path).reserve.add(spill(2));
  expect(open(path).found).toEqual([spill(1), spill(2)]);
});

test('takes what fits, to the last byte, and refuses the rest whole', async () => {
  const path = fresh();
  const { reserve } = open(path);
  let taken = 0;
  while (await reserve.add(spill(taken + 1, 'x'.repeat(50_000)))) taken += 1;
  expect(taken).toBeGreaterThan(35);
  expect(await reserve.add(spill(taken + 1))).toBe(true);
  expect(open(path).found).toHaveLength(taken + 1);
});

test('what was cleared does not come back, also behind new lines of the same length', async () => {
  const path = fresh();
  const { reserve } = open(path);
  for (const seq of [1, 2, 3]) await reserve.add(spill(seq));
  reserve.clear();
  expect(open(path).found).toEqual([]);
  await reserve.add(spill(4));
  expect(open(path).found).toEqual([spill(4)]);
});

test('a line that was changed, or sealed with another key, ends it and is told; a torn last one is not', async () => {
  const path = fresh();
  const { reserve } = open(path);
  for (const seq of [1, 2, 3]) await reserve.add(spill(seq));
  expect(open(path, otherKey)).toMatchObject({ found: [], isWhole: false });
  const bytes = readFileSync(path);
  const second = bytes.indexOf('\n') + 1;
  const changed = Buffer.from(bytes);
  changed.write('9', bytes.indexOf('"seq":2') + '"seq":'.length);
  writeFileSync(path, changed);
  expect(open(path)).toMatchObject({ found: [spill(1)], isWhole: false });
  const torn = Buffer.from(bytes).fill(0, second + 40);
  writeFileSync(path, torn);
  expect(open(path)).toMatchObject({ found: [spill(1)], isWhole: true });
});

describe('at a start', () => {
  /** A journal of three rows, and what a bridge before has put aside behind them. */
  async function leftAside(first: number, base?: string): Promise<string> {
    const dir = await sealedJournal([3]);
    const head = decodeHead(readFileSync(join(dir, 'journal.head'), 'latin1'));
    const { reserve } = Reserve.open(join(dir, 'journal.reserve'), theKey);
    for (const seq of [first, first + 1])
      await reserve.add({
        base: base ?? head?.link ?? '',
        rows: [{ ...row(seq), body: JSON.stringify(delta(`${seq}`)) }],
      });
    reserve.close();
    return dir;
  }
  const texts = (journal: SqliteJournal) =>
    [...journal.read(3)].map(({ event }) => (event.type === 'answer.delta' ? event.text : ''));

  test('what was put aside becomes part of the journal, whose chain holds, once', async () => {
    const dir = await leftAside(4);
    for (const _ of ['first start', 'second start']) {
      const { journal, doubt } = openJournal({ dir, key: theKey });
      expect([texts(journal), journal.health, doubt]).toEqual([['4', '5'], 'ok', undefined]);
      await journal.close();
    }
    expect(await verify(dir)).toMatchObject({ outcome: 'proven', rows: 5 });
  });

  test.each([
    ['begins behind rows that are gone', 5, undefined],
    ['belongs to another journal', 4, 'f'.repeat(32)],
  ])('what %s is left out, and said', async (_what, first, base) => {
    const dir = await leftAside(first, base);
    const { journal, doubt } = openJournal({ dir, key: theKey });
    expect(texts(journal)).toEqual([]);
    expect(doubt).toBe(
      '2 rows that were put aside while the disk was full do not fit the journal, which ends at row 3: they are gone',
    );
    await journal.close();
    const again = openJournal({ dir, key: theKey });
    expect(again.doubt).toBeUndefined();
    await again.journal.close();
  });

  test('what lies there already is not written again', async () => {
    const dir = await leftAside(2);
    const { journal, doubt } = openJournal({ dir, key: theKey });
    expect([journal.last, doubt]).toEqual([3, undefined]);
    await journal.close();
  });

  test('what is damaged is said, and the rest is kept', async () => {
    const dir = await leftAside(4);
    const path = join(dir, 'journal.reserve');
    const bytes = readFileSync(path);
    bytes.write('9', bytes.indexOf('"seq":5') + '"seq":'.length);
    writeFileSync(path, bytes);
    const { journal, doubt } = openJournal({ dir, key: theKey });
    expect([texts(journal), doubt]).toEqual([['4'], expect.stringContaining('some of it is gone')]);
    await journal.close();
  });
});
