import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openJournal } from '../../../src/bridge/journal/start/open-journal.ts';
import type { JournalRow } from '../../../src/protocol/events/events.ts';
import { delta, queued } from './sample-events.ts';
import { memoryDir } from './temp-dir.ts';

export interface Sample {
  /** What a killed bridge leaves: rows in the database, further rows only in the log. */
  killed: string;
  /** What a closed bridge leaves: everything in the database, no log. */
  closed: string;
  rows: JournalRow[];
}

/** A journal of 300 rows over many pages. */
export async function sampleJournal(): Promise<Sample> {
  const dir = memoryDir();
  const killed = memoryDir();
  const first = openJournal({ dir }).journal;
  for (let n = 0; n < 50; n += 1) {
    first.append('a', [queued(`message ${n}`), delta('x'.repeat(n * 3)), delta('y')]);
    await first.durable(first.last);
  }
  await first.close();
  const second = openJournal({ dir }).journal;
  for (let n = 0; n < 50; n += 1) {
    second.append('b', [queued(`message ${n}`), delta('z'.repeat(n * 3)), delta('y')]);
    await second.durable(second.last);
  }
  const rows = [...second.read(0)];
  cpSync(dir, killed, { recursive: true });
  await second.close();
  return { killed, closed: dir, rows };
}

/** A copy of `dir` in which `change` was made to one file. */
export function damagedCopy(dir: string, name: string, change: (bytes: Buffer) => Buffer): string {
  const copy = memoryDir();
  cpSync(dir, copy, { recursive: true });
  const path = join(copy, name);
  writeFileSync(path, change(readFileSync(path)));
  return copy;
}

export const flip = (offset: number) => (bytes: Buffer) => {
  bytes[offset] = (bytes[offset] ?? 0) ^ 0x20;
  return bytes;
};

export const sizeOf = (dir: string, name: string) => statSync(join(dir, name)).size;

/** `count` numbers in [0, below), the same in every run. */
export function places(seed: number, below: number, count: number): number[] {
  const numbers: number[] = [];
  for (let n = seed; numbers.length < count; n = (n * 48271) % 2147483647) numbers.push(n % below);
  return numbers;
}

/**
 * The promise: what is in use afterwards is a prefix of what was written; if it is not all of it, the loss is counted
 * and the damaged file is kept; the journal can be written, and opening it once more finds it whole.
 * @returns how many rows are gone
 */
export async function checkRecovery(dir: string, rows: JournalRow[], where: string): Promise<number> {
  const { journal, recovered } = openJournal({ dir });
  const found = [...journal.read(0)];
  expect(found, where).toEqual(rows.slice(0, found.length));
  if (found.length < rows.length) {
    expect(recovered, where).toMatchObject({ kept: found.length, lost: rows.length - found.length });
  }
  if (recovered) {
    expect(recovered.kept, where).toBe(found.length);
    expect(sizeOf(recovered.file, ''), where).toBeGreaterThanOrEqual(0);
    expect(recovered.file).toContain('.corrupt-');
  }
  const [next] = journal.append('c', [queued('after')]);
  await journal.durable(next?.seq ?? 0);
  await journal.close();
  const again = openJournal({ dir });
  expect(again.recovered, where).toBeUndefined();
  expect(again.journal.last, where).toBe(found.length + 1);
  await again.journal.close();
  return rows.length - found.length;
}

/** The key is no part of what a repair mends. */
const journalFiles = (dir: string) => readdirSync(dir).filter((name) => name.startsWith('journal.'));

/** One flipped byte at a time, `count` in each file of the journal. */
export async function checkFlips(dir: string, rows: JournalRow[], count: number): Promise<void> {
  for (const name of journalFiles(dir))
    for (const offset of new Set(places(77, sizeOf(dir, name), count)))
      await checkOnce(damagedCopy(dir, name, flip(offset)), rows, `byte ${offset} of ${name}`);
}

/** Each file of the journal ends too early, in `count` places. */
export async function checkCuts(dir: string, rows: JournalRow[], count: number): Promise<void> {
  for (const name of journalFiles(dir))
    for (const size of new Set(places(78, sizeOf(dir, name), count))) {
      const copy = damagedCopy(dir, name, (bytes) => bytes.subarray(0, size));
      await checkOnce(copy, rows, `${name} cut to ${size}`);
    }
}

/** Two megabytes each, in memory: hundreds of them until the end of the test are more than a small machine has to spare. */
async function checkOnce(copy: string, rows: JournalRow[], where: string): Promise<void> {
  await checkRecovery(copy, rows, where);
  rmSync(copy, { recursive: true });
}
