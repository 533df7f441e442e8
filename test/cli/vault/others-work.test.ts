// What is seen of an index that another program is making.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OthersWork } from '../../../src/cli/commands/vault/setup/others-work.ts';
import { Generations } from '../../../src/vault/index/generations.ts';
import { IndexWriter } from '../../../src/vault/index/index-writer.ts';
import { ManualClock } from '../../support/manual-clock.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'others-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const rowOf = (path: string) => ({
  path,
  mark: 'm',
  hash: new Uint8Array(32),
  modified: 0,
  title: path,
  tags: [],
  aliases: [],
  chunks: [{ line: 1, heading: '', text: 'x' }],
  secrets: [],
  problem: null,
});

test('notes are counted as they come, once it can hardly be our own work', async () => {
  const clock = new ManualClock();
  const work = await OthersWork.of(dir, 10, clock);
  expect(work.progress()).toBeUndefined();
  clock.advance(2_000);
  expect(work.progress()).toBeUndefined();
  const writer = new IndexWriter(new Generations(dir).database(1), 'a vault');
  try {
    expect(work.progress()).toEqual({ done: 0, total: 10 });
    writer.commit(() => {
      for (const name of ['a', 'b', 'c']) writer.put(rowOf(`${name}.md`));
    });
    expect(work.progress()).toEqual({ done: 3, total: 10 });
  } finally {
    writer.close();
  }
});
