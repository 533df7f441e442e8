// What a memory costs, counted: how long it takes depends on what else the machine does.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { longNote } from '../../../src/vault/memory/entry/parts.ts';
import { storeMemory } from '../../../src/vault/memory/store-memory.ts';
import { memoryDir } from '../../bridge/journal/temp-dir.ts';

const counter = '/proc/self/io';

/** What this process has read and written so far, and how often. */
function input(): { bytes: number; calls: number } {
  const counts = new Map(
    [...readFileSync(counter, 'utf8').matchAll(/^(\w+): (\d+)$/gm)].map((m) => [m[1], m[2]]),
  );
  const sum = (...names: string[]) => names.reduce((total, name) => total + Number(counts.get(name)), 0);
  return { bytes: sum('rchar', 'wchar'), calls: sum('syscr', 'syscw') };
}

// Only Linux counts them.
test.runIf(process.platform === 'linux').each([2_000, 7_900])(
  'a memory of %d characters reads two notes of its day at most, however many there are',
  (length) => {
    // Its syncs are not what is counted: on a disk they take twenty seconds.
    const home = memoryDir();
    const root = join(home, 'vault');
    mkdirSync(root);
    const deps = { folder: 'Memories', now: new Date(2026, 10, 23), lockFile: join(home, 'lock') };
    let stored = 0;
    const store = (count: number) => {
      const before = input();
      for (const last = stored + count; stored < last; stored += 1)
        storeMemory(root, { text: `${stored} ${'x'.repeat(length)}` }, deps);
      const after = input();
      return { bytes: (after.bytes - before.bytes) / count, calls: (after.calls - before.calls) / count };
    };
    const first = store(100);
    store(Math.ceil((10 * longNote) / length) - 100);
    const later = store(100);
    // The note before the last, the last one, and twice the memory itself: to the note, and what is undone if it fails.
    expect(later.bytes).toBeLessThan(2 * longNote + 5 * (length + 1_000));
    // 12 and 13: for each note one read more.
    expect(later.calls).toBeLessThan(first.calls + 4);
  },
);
