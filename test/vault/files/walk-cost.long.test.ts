import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { walkNotes } from '../../../src/vault/files/walk.ts';
import { cost } from '../../support/cost.ts';
import { tempVault } from '../temp-vault.ts';

const settings = { include: ['**/*.md'], exclude: ['Private/**'] };

/** CPU time to find the notes of so many folders, 50 in each, seconds. */
function walking(folders: number): number {
  const root = tempVault();
  for (let folder = 0; folder < folders; folder += 1) {
    mkdirSync(join(root, `folder ${folder}`));
    for (let note = 0; note < 50; note += 1)
      writeFileSync(join(root, `folder ${folder}`, `note ${note}.md`), 'x');
  }
  return cost(() => expect(walkNotes(root, settings).notes.size).toBe(50 * folders), 7);
}

test('ten times as many notes are found at about ten times the cost', () => {
  const few = Math.max(0.005, walking(20));
  expect(walking(200) / few).toBeLessThan(25);
});
