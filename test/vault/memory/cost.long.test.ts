import { join } from 'node:path';
import { expect, test } from 'vitest';
import { storeMemory } from '../../../src/vault/memory/store-memory.ts';
import { tempVault } from '../temp-vault.ts';

/** CPU time to store so many memories in one note, milliseconds. */
function cost(count: number, length: number): number {
  const root = tempVault();
  const deps = { folder: 'Memories', now: new Date(2026, 10, 23), lockFile: join(root, '..', 'lock') };
  const before = process.cpuUsage();
  for (let n = 0; n < count; n += 1) storeMemory(root, { text: `${n} ${'x'.repeat(length)}` }, deps);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

test.each([100, 7_900])(
  'ten times as many memories of %d characters on one day cost about ten times as much',
  (length) => {
    cost(100, length);
    // Three times, as the machine may have been busy with other things in one of them.
    const ratios = [1, 2, 3].map(() => cost(1_000, length) / cost(100, length));
    expect(Math.min(...ratios)).toBeLessThan(15);
  },
);
