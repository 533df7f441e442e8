import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { walkNotes } from '../../../src/vault/files/walk.ts';
import { cost } from '../../support/cost.ts';
import { tempVault } from '../temp-vault.ts';

const settings = { include: ['**/*.md'], exclude: ['Private/**'] };

/** CPU time to find the notes of so many folders, 50 in each, and to list the same files and no more, seconds. */
function walking(folders: number): { notes: number; names: number } {
  const root = tempVault();
  for (let folder = 0; folder < folders; folder += 1) {
    mkdirSync(join(root, `folder ${folder}`));
    for (let note = 0; note < 50; note += 1)
      writeFileSync(join(root, `folder ${folder}`, `note ${note}.md`), 'x');
  }
  return {
    notes: cost(() => expect(walkNotes(root, settings).notes.size).toBe(50 * folders), 7),
    names: cost(() => expect(readdirSync(root, { recursive: true })).toHaveLength(51 * folders), 7),
  };
}

test('ten times as many notes are found at about ten times the cost, and a small multiple of listing them', () => {
  const few = walking(20);
  const many = walking(200);
  expect(many.notes / Math.max(0.005, few.notes)).toBeLessThan(25);
  // 1.2 where it was measured.
  expect(many.notes / many.names).toBeLessThan(4);
});
