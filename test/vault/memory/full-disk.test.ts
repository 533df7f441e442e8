import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MemoryError } from '../../../src/vault/memory/memory-error.ts';
import { storeMemory } from '../../../src/vault/memory/store-memory.ts';
import { tempFolder } from '../temp-vault.ts';

/** @param path is `$0` */
function shell(script: string, path: string): void {
  execFileSync('sh', ['-c', script, path]);
}

/** A vault on a disk of 64 KiB. Root alone may mount one. */
function smallDisk(): string {
  const root = join(tempFolder(), 'vault');
  mkdirSync(root);
  shell('mount -t tmpfs -o size=64k none "$0"', root);
  onTestFinished(() => shell('umount "$0"', root));
  return root;
}

/** Takes all the room that there is. @param bytes to be left in pages of 4 KiB */
function fill(root: string, bytes = 0): void {
  const file = join(root, 'filler');
  const pages = (count: number) => Buffer.alloc(count * 4_096, 'x');
  for (let count = 16; count > 0; count -= 1) {
    try {
      writeFileSync(file, pages(count));
      if (bytes > 0) writeFileSync(file, pages(count - bytes / 4_096));
      return;
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOSPC' });
    }
  }
}

const isRoot = process.geteuid?.() === 0 && process.platform === 'linux';
const depsOf = (root: string) => ({
  folder: 'Memories',
  now: new Date(2026, 10, 23),
  lockFile: join(root, '..', 'lock'),
});
const store = (root: string, text: string) => storeMemory(root, { text }, depsOf(root));
const noteOf = (root: string) => readFileSync(join(root, 'Memories', '2026-11-23.md'));

test.skipIf(!isRoot)(
  'on a full disk nothing is stored of a memory, the note is as it was, and it works when there is room',
  () => {
    const root = smallDisk();
    store(root, 'first');
    // As much as fits into the page that the note has already, and a page more: the rest of it meets the end of the disk.
    for (const room of [0, 4_096]) {
      fill(root, room);
      const before = noteOf(root);
      const long = `${room} ${'x'.repeat(7_900)}`;
      const attempt = () => store(root, long);
      expect(attempt).toThrow(MemoryError);
      expect(attempt).toThrow('The disk is full; nothing was stored.');
      expect(noteOf(root).equals(before)).toBe(true);
      rmSync(join(root, 'filler'));
      expect(store(root, long)).toMatchObject({ isNew: true });
    }
  },
);

test.skipIf(!isRoot)('on a full disk no part of a new note is left', () => {
  const root = smallDisk();
  mkdirSync(join(root, 'Memories'));
  for (const room of [0, 4_096]) {
    fill(root, room);
    expect(() => store(root, 'x'.repeat(8_000))).toThrow('The disk is full; nothing was stored.');
    expect(readdirSync(join(root, 'Memories'))).toEqual([]);
    rmSync(join(root, 'filler'));
  }
  expect(store(root, 'x').isNew).toBe(true);
});

test.skipIf(!isRoot)('where nothing may be written, it says so', () => {
  const root = smallDisk();
  store(root, 'first');
  shell('mount -o remount,ro "$0"', root);
  expect(() => store(root, 'second')).toThrow('The vault cannot be written (EROFS); nothing was stored.');
});
