// A folder of notes, read into memory.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { walkNotes } from '../../src/vault/files/walk.ts';

export interface CorpusNote {
  /** Inside of the folder, with `/`. */
  path: string;
  text: string;
}

export function readCorpus(folder: string): CorpusNote[] {
  const { notes } = walkNotes(folder, { include: ['**/*.md'], exclude: [] });
  return [...notes.keys()].map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));
}
