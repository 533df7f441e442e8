// The folder that memories are written to. It is made when it is missing; the vault itself never is.
import { mkdirSync } from 'node:fs';
import { codeOf, Folder, NoteFileError } from '../files/folder.ts';

/** @param path normalised by `inside` @throws OutsideError, NoteFileError, VaultMissingError, what `mkdir` throws */
export function openMemoryFolder(root: string, path: string): Folder {
  try {
    return Folder.open(root, path);
  } catch (error) {
    if (!(error instanceof NoteFileError) || error.code !== 'ENOENT') throw error;
  }
  const parts = path.split('/');
  for (const [index, part] of parts.entries()) {
    using parent = Folder.open(root, parts.slice(0, index).join('/'));
    make(parent, part);
  }
  return Folder.open(root, path);
}

function make(parent: Folder, part: string): void {
  try {
    mkdirSync(parent.at(part));
    parent.sync();
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}
