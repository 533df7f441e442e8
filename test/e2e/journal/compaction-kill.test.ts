// A bridge that is killed at any point of a compaction leaves one journal, and every row that was durable.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { listSegments } from '../../../src/bridge/journal/archive/segments.ts';
import { StoppedJournal } from '../../../src/bridge/journal/read/stopped-journal.ts';
import { openJournal } from '../../../src/bridge/journal/start/open-journal.ts';
import { tempDir } from '../../bridge/journal/temp-dir.ts';
import { oneFile } from '../../support/one-file.ts';
import { seeded } from '../../support/seeded.ts';

const program = await oneFile(join(import.meta.dirname, '../../bridge/journal/compacting-appender.ts'));

/** @returns seq of the last row that the program called durable before it was killed */
async function killAfter(dir: string, rows: number, delayMs: number): Promise<number> {
  const child = spawn(process.execPath, [program, dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
  });
  const exited = once(child, 'exit');
  let opened = -1;
  let acked = 0;
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const said = JSON.parse(line);
      expect(said.trouble).toBeUndefined();
      if (said.opened !== undefined) {
        expect([said.recovered, said.doubt]).toEqual([undefined, undefined]);
        opened = said.opened;
      }
      acked = said.acked ?? said.opened;
      // A moment later, so that the kill falls between two of its lines.
      if (acked >= opened + rows) setTimeout(() => child.kill('SIGKILL'), delayMs);
    }
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
  return acked;
}

/** More of them with `COMPACTION_KILLS=100`. */
const kills = Number(process.env.COMPACTION_KILLS ?? 30);

test('no durable row is lost at any kill of a journal that is compacted all the time', async () => {
  const dir = tempDir();
  const random = seeded(20_261_123);
  let swaps = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const acked = await killAfter(dir, Math.floor(random() * 120), random() * 6);
    const { journal, chain, recovered, doubt } = openJournal({ dir });
    expect([kill, recovered, doubt]).toEqual([kill, undefined, undefined]);
    expect(journal.last).toBeGreaterThanOrEqual(acked);
    swaps = listSegments(join(dir, 'archive')).length;
    const { last } = journal;
    // Of the archive and of what was not archived yet: all of it is looked at.
    if (kill % 10 === 9) expect(await chain.verify([])).toMatchObject({ outcome: 'proven', rows: last });
    await journal.close();
  }
  const seqs: number[] = [];
  for await (const { seq } of StoppedJournal.at(dir)?.events() ?? []) seqs.push(seq);
  expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  expect(swaps).toBeGreaterThan(kills / 2);
}, 180_000);
