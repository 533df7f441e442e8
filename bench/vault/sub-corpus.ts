// A smaller folder of notes to which the same questions can be asked: vectors of all take half an hour.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { walkNotes } from '../../src/vault/files/walk.ts';
import type { Question } from './questions.ts';

/** Of the notes that answer no question one in so many is among the others. */
const oneIn = 60;

/** Copies a note that answers each question, and some that answer none. @param into an empty folder */
export function copySubCorpus(folder: string, questions: readonly Question[], into: string): void {
  const { notes } = walkNotes(folder, { include: ['**/*.md'], exclude: [] });
  const paths = [...notes.keys()].toSorted();
  const answers = new Set(questions.map(({ expected }) => shortestOf(paths, expected)));
  const others = paths.filter((path) => !answers.has(path)).filter((_, at) => at % oneIn === 0);
  for (const path of [...answers, ...others]) cpSync(join(folder, path), join(into, path));
}

/** The page itself, and not one below it. */
function shortestOf(paths: readonly string[], expected: readonly string[]): string {
  const [shortest] = paths
    .filter((path) => expected.some((prefix) => path.startsWith(prefix)))
    .toSorted((a, b) => a.length - b.length);
  if (shortest === undefined) throw new Error(`no note begins with ${expected.join(' or ')}`);
  return shortest;
}
