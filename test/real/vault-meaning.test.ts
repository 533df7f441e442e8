// A vault with the real model and each of the real engines, in the child that has both.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { VaultSettings } from '../../src/protocol/settings/vault.ts';
import { until } from '../support/until.ts';
import { find, smallVault } from '../vault/support/small-vault.ts';
import { putFile, tempVault } from '../vault/temp-vault.ts';
import { extrasState } from './support/extras.ts';

const notes = {
  'Garden.md': '# Garden\n\nEvery spring the fence gets a new coat of green paint.\n',
  'House.md': '# House\n\nThe landlord wants 900 euros a month.\n',
  'Boat.md': '# Boat\n\nThe mast has to be varnished before summer.\n',
};

/** None of its words stands in the note that answers it. */
const question = 'how expensive is my apartment';

const engines: VaultSettings['engine'][] = ['sqlite', 'lancedb'];

describe.skipIf(process.env.REAL_PEERS).each(engines)('notes by their meaning, in %s', (engine) => {
  async function house() {
    const root = tempVault(notes);
    const open = (dir?: string) =>
      smallVault(
        root,
        { embeddings: 'builtin', engine },
        { stays: true, stateDir: extrasState, ...(dir && { dir, vectors: join(dir, 'vectors') }) },
      );
    const small = open();
    await small.vault.build();
    await small.vault.followed();
    return { root, ...small, reopened: () => open(small.dir).vault };
  }

  test('are found by other words, also those that were written a moment ago', async () => {
    const { vault, root, printed } = await house();
    const { status, results } = await find(vault, question);
    expect([status, results[0]?.file]).toEqual(['healthy', 'House.md']);
    putFile(root, 'Car.md', '# Car\n\nThe vehicle needs a fresh set of tyres.\n');
    expect((await find(vault, 'tyres')).results[0]?.file).toBe('Car.md');
    await until('the new note', async () => (await find(vault, 'automobile')).results[0]?.file === 'Car.md');
    expect(printed).toEqual([]);
  });

  test('whose vectors are damaged are found by their words, and by their meaning when those are made anew', async () => {
    const { vault, dir, reopened } = await house();
    vault.close();
    damage(join(dir, 'vectors'));
    const again = reopened();
    const first = await find(again, 'landlord');
    expect([first.status, first.results[0]?.file]).toEqual(['degraded', 'House.md']);
    // The last where a busy machine needs longer for the model than a question waits.
    expect(['INDEX_CORRUPTED', 'INDEX_BUILDING', 'EMBEDDINGS_UNAVAILABLE']).toContain(first.code);
    await until('new vectors', async () => (await find(again, question)).results[0]?.file === 'House.md');
  });
});

/** Every file of every store. */
function damage(folder: string): void {
  for (const each of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(each.parentPath, each.name);
    if (!each.isFile() || each.name.startsWith('making')) continue;
    if (/-(?:wal|shm)$/.test(each.name)) rmSync(path);
    else writeFileSync(path, 'no vectors');
  }
}
