// A new note appears whole, under a name that nobody has: whoever was faster keeps his.
import { closeSync, fsyncSync, linkSync, lstatSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { newId } from '../../base/ids.ts';
import { codeOf, type Folder } from '../files/folder.ts';
import { shortWrite } from './disk-error.ts';

const draftName = /^\.d[0-9a-z]{14}\.synthesis\.tmp$/;

/** Milliseconds after which nobody works on a draft any more. */
const abandoned = 10 * 60_000;

/**
 * @param name in the folder
 * @returns false when something stands there already; nothing was changed then
 * @throws what the file system throws; nothing is left of it then
 */
export function createNote(folder: Folder, name: string, content: string): boolean {
  const draft = folder.at(`.${newId('d')}.synthesis.tmp`);
  const path = folder.at(name);
  try {
    writeWhole(draft, content);
    try {
      linkSync(draft, path);
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      // Some disks know no links. A file that must not be there yet overwrites nothing, either.
      if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(codeOf(error))) throw error;
      return createWithoutLink(folder, path, content);
    }
  } finally {
    remove(draft);
  }
  syncOrRemove(folder, path);
  return true;
}

/** Takes away what killed processes have left. @param names all in the folder */
export function removeOldDrafts(folder: Folder, names: readonly string[], now = Date.now()): void {
  for (const name of names) {
    if (!draftName.test(name)) continue;
    const stats = lstatSync(folder.at(name), { throwIfNoEntry: false });
    if (stats && now - stats.mtimeMs > abandoned) remove(folder.at(name));
  }
}

function createWithoutLink(folder: Folder, path: string, content: string): boolean {
  try {
    writeWhole(path, content);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
  syncOrRemove(folder, path);
  return true;
}

/** Creates it, and leaves nothing of it when that fails. */
function writeWhole(path: string, content: string): void {
  const bytes = Buffer.from(content);
  const fd = openSync(path, 'wx');
  try {
    if (writeSync(fd, bytes) < bytes.length) throw shortWrite();
    fsyncSync(fd);
  } catch (error) {
    remove(path);
    throw error;
  } finally {
    closeSync(fd);
  }
}

function syncOrRemove(folder: Folder, path: string): void {
  try {
    folder.sync();
  } catch (error) {
    remove(path);
    throw error;
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}
