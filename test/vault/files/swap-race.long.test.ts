import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NoteFileError } from '../../../src/vault/files/folder.ts';
import { OutsideError } from '../../../src/vault/files/inside.ts';
import { readInside } from '../../../src/vault/files/open-inside.ts';
import { MemoryError } from '../../../src/vault/memory/memory-error.ts';
import { storeMemory } from '../../../src/vault/memory/store-memory.ts';
import { tempVault } from '../temp-vault.ts';

const program = join(import.meta.dirname, 'swapper.ts');

/** Calls `attempt` while a folder of the vault is swapped for a link to one outside. */
async function whileSwapped(attempt: (root: string, turn: number) => void): Promise<string> {
  const root = tempVault({ 'Projects/House/note.md': 'inside' });
  const outside = join(root, '..', 'outside');
  mkdirSync(join(outside, 'House'), { recursive: true });
  for (const file of ['note.md', 'House/note.md']) writeFileSync(join(outside, file), 'secret');
  const args = [program, join(root, 'Projects'), join(root, 'aside'), outside];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  try {
    await once(child.stdout, 'data');
    for (let turn = 0; turn < 3_000; turn += 1) attempt(root, turn);
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
  return outside;
}

test('whoever swaps a folder for a link while a note is read is not given what the link leads to', async () => {
  const found = { inside: 0, refused: 0 };
  await whileSwapped((root) => {
    try {
      expect(readInside(root, 'Projects/House/note.md', 100).toString()).toBe('inside');
      found.inside += 1;
    } catch (error) {
      if (!(error instanceof OutsideError || error instanceof NoteFileError)) throw error;
      found.refused += 1;
    }
  });
  // Both happened, so that it was a race.

  expect([found.inside > 0, found.refused > 0]).toEqual([true, true]);
});

test('whoever swaps a folder for a link while memories are written to it gets none of them elsewhere', async () => {
  const outside = await whileSwapped((root, turn) => {
    if (turn % 10 > 0) return;
    const lockFile = join(root, '..', 'lock');
    try {
      storeMemory(
        root,
        { text: `${turn}`, topic: 'note' },
        { folder: 'Projects/House', now: new Date(), lockFile },
      );
    } catch (error) {
      expect(error).toBeInstanceOf(MemoryError);
    }
  });
  for (const file of ['note.md', 'House/note.md'])
    expect(readFileSync(join(outside, file), 'utf8')).toBe('secret');
});
