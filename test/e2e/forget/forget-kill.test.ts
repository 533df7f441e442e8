// A bridge that is killed while it forgets leaves each file of the archive as it was or as it is to be, and the next one
// finishes it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { listSegments } from '../../../src/bridge/journal/archive/segments.ts';
import { StoppedJournal } from '../../../src/bridge/journal/read/stopped-journal.ts';
import { openJournal } from '../../../src/bridge/journal/start/open-journal.ts';
import { clean } from '../../bridge/journal/forgetting.ts';
import { tempDir } from '../../bridge/journal/temp-dir.ts';
import { oneFile } from '../../support/one-file.ts';
import { seeded } from '../../support/seeded.ts';

const program = await oneFile(join(import.meta.dirname, '../../bridge/journal/forgetting-appender.ts'));

/** @returns the sessions of which the program said that they were forgotten, before it was killed */
async function killAfter(dir: string, rows: number, delayMs: number): Promise<string[]> {
  const child = spawn(process.execPath, [program, dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
  });
  const exited = once(child, 'exit');
  const forgot: string[] = [];
  let opened = -1;
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const said = JSON.parse(line);
      expect([said.trouble, said.recovered, said.doubt]).toEqual([undefined, undefined, undefined]);
      if (said.opened !== undefined) opened = said.opened;
      if (said.forgot !== undefined) forgot.push(said.forgot);
      if (said.acked >= opened + rows) setTimeout(() => child.kill('SIGKILL'), delayMs);
    }
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
  return forgot;
}

/** More of them with `FORGET_KILLS=100`. */
const kills = Number(process.env.FORGET_KILLS ?? 20);

test('whenever it is killed, what was forgotten is gone, all else is there, and the chain is proven', async () => {
  const dir = tempDir();
  const random = seeded(20_261_124);
  const forgot: string[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    forgot.push(...(await killAfter(dir, Math.floor(random() * 300), random() * 8)));
    const { journal, chain, recovered, doubt } = openJournal({ dir });
    expect([kill, recovered, doubt]).toEqual([kill, undefined, undefined]);
    const { last } = journal;
    if (kill % 5 === 4) expect(await chain.verify([])).toMatchObject({ outcome: 'proven', rows: last });
    await journal.close();
  }
  const opened = openJournal({ dir });
  await clean(opened);
  expect(await opened.chain.verify([])).toMatchObject({ outcome: 'proven', fault: null });
  await opened.journal.close();
  const seqs: number[] = [];
  const told = new Set<string>();
  for await (const { seq, event } of StoppedJournal.at(dir)?.events() ?? []) {
    seqs.push(seq);
    if (event.type === 'turn.queued') told.add(/^secret of (\S+),/.exec(event.text)?.[1] ?? '');
  }
  expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  expect(forgot.filter((name) => told.has(name))).toEqual([]);
  expect(listSegments(join(dir, 'archive')).length).toBeGreaterThan(kills / 4);
  expect(forgot.length).toBeGreaterThan(kills);
}, 300_000);
