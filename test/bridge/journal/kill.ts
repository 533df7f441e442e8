import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { expect } from 'vitest';
import { openJournal } from '../../../src/bridge/journal/start/open-journal.ts';
import { oneFile } from '../../support/one-file.ts';

type Appender = ChildProcessByStdio<null, Readable, null>;

const appender = await oneFile(join(import.meta.dirname, 'appender.ts'));

export const linesOf = (child: Appender) => createInterface({ input: child.stdout });

/** Starts the appending program on `dir`. */
export function startAppender(dir: string, seed: number): Appender {
  return spawn(process.execPath, [appender, dir, String(seed)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
  });
}

/**
 * Lets the program append until it acknowledged `rows` more rows, then kills it without warning.
 * @returns the last seq that it acknowledged
 */
async function killAfter(dir: string, seed: number, rows: number): Promise<number> {
  const child = startAppender(dir, seed);
  let opened = -1;
  let acked = 0;
  const exited = once(child, 'exit');
  try {
    for await (const line of linesOf(child)) {
      const said = JSON.parse(line);
      if (said.opened !== undefined) {
        expect(said.recovered).toBeUndefined();
        opened = said.opened;
        acked = opened;
      } else acked = said.acked;
      if (acked >= opened + rows) child.kill('SIGKILL');
    }
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
  return acked;
}

/** Kills at each of the points in turn, on one journal, and checks after each that nothing acknowledged is gone. */
export async function killAndCheck(dir: string, points: number[]): Promise<void> {
  for (const [index, rows] of points.entries()) {
    const acked = await killAfter(dir, 1000 + index, rows);
    const { journal, recovered } = openJournal({ dir });
    expect(recovered).toBeUndefined();
    expect(journal.last).toBeGreaterThanOrEqual(acked);
    const kept = [...journal.read(0)];
    expect([kept.length, kept.findIndex(({ seq }, n) => seq !== n + 1)]).toEqual([journal.last, -1]);
    await journal.close();
  }
}
