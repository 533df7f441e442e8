// What is about to be written behind the end of a note, beside the lock: the kernel may cut a write short when its process
// is killed. Whoever has the lock next takes such a part back, when nobody else has written behind it.
import { closeSync, constants, fstatSync, fsyncSync, ftruncateSync, readSync, rmSync } from 'node:fs';
import { z } from 'zod';
import { readPrivate, writePrivate } from '../../base/files/private-file.ts';
import { NoteFileError } from '../files/folder.ts';
import { OutsideError } from '../files/inside.ts';
import { openInside } from '../files/open-inside.ts';

const Intent = z.strictObject({
  root: z.string(),
  /** Inside of the vault. */
  file: z.string(),
  /** Bytes, before. */
  size: z.int().nonnegative(),
  text: z.string(),
});
type Intent = z.infer<typeof Intent>;

const pathOf = (lockFile: string): string => `${lockFile}.intent`;

/** Survives the end of this process; a power cut takes it, and with it what it is about. */
export const writeIntent = (lockFile: string, intent: Intent): void =>
  writePrivate(pathOf(lockFile), JSON.stringify(intent));

export const dropIntent = (lockFile: string): void => rmSync(pathOf(lockFile), { force: true });

/** To be called by whoever has the lock, before he writes. */
export function settleIntent(lockFile: string, root: string): void {
  const intent = readIntent(lockFile);
  if (intent === undefined) return;
  if (intent.root === root) takePartBack(intent);
  dropIntent(lockFile);
}

function readIntent(lockFile: string): Intent | undefined {
  const text = readPrivate(pathOf(lockFile));
  if (text === undefined) return undefined;
  try {
    return Intent.parse(JSON.parse(text));
  } catch {
    // Not whole: what it is about was not begun.
    dropIntent(lockFile);
    return undefined;
  }
}

function takePartBack({ root, file, size, text }: Intent): void {
  let fd: number;
  try {
    fd = openInside(root, file, constants.O_RDWR);
  } catch (error) {
    // The user has removed or replaced it.
    if (error instanceof OutsideError || error instanceof NoteFileError) return;
    throw error;
  }
  try {
    const whole = Buffer.from(text);
    const length = fstatSync(fd).size - size;
    if (length <= 0 || length >= whole.length) return;
    const found = Buffer.alloc(length);
    if (readSync(fd, found, 0, length, size) < length || !whole.subarray(0, length).equals(found)) return;
    ftruncateSync(fd, size);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
