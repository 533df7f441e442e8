// Which paths inside of the vault are notes that may be read, as the settings say. Compiled once.
import picomatch from 'picomatch';
import type { VaultSettings } from '../../protocol/settings/vault.ts';

export interface NoteFilter {
  /** @param path of a file, as `inside` gives it */
  isNote(path: string): boolean;
  /** Whether nothing in a folder is a note, so that nobody has to look. */
  leavesOut(folder: string): boolean;
  /** As `isNote`, of a file in a folder of which it is known that it is not left out. */
  isNoteHere(path: string): boolean;
}

/** Case counts, and names that begin with a dot fit no pattern. */
const options = { dot: false, nocase: false } as const;

/**
 * An excluded folder is excluded with all that is in it, whether a pattern names it as `Private`, `Private/` or
 * `Private/**`: who excludes something wants it left alone.
 */
export function noteFilter({ include, exclude }: Pick<VaultSettings, 'include' | 'exclude'>): NoteFilter {
  const isIncluded = matcher(include);
  const isExcluded = matcher(exclude);
  // What a negated pattern leaves out says nothing of the folders above it.
  const coversFolder = matcher(exclude.filter((pattern) => !pattern.startsWith('!')));
  const leavesOut = (folder: string): boolean => {
    const path = composed(folder);
    return unlisted.test(path) || coversFolder(path) || foldersOf(path).some((above) => coversFolder(above));
  };
  const isNoteHere = (path: string): boolean => {
    const whole = composed(path);
    return isIncluded(whole) && !isExcluded(whole) && !unlisted.test(whole);
  };
  const isNote = (path: string): boolean => {
    const end = path.lastIndexOf('/');
    return isNoteHere(path) && (end === -1 || !leavesOut(path.slice(0, end)));
  };
  return { isNote, leavesOut, isNoteHere };
}

/** A part that is hidden, or node_modules. */
const unlisted = /(?:^|\/)(?:\.|node_modules(?:\/|$))/i;

/** Accents are written apart by some systems and together by others; a pattern fits both. */
const composed = (path: string): string => path.normalize('NFC');

function matcher(patterns: readonly string[]): (path: string) => boolean {
  if (patterns.length === 0) return () => false;
  return picomatch(
    patterns.map((pattern) => composed(pattern).replace(/^\.?\/+(?=.)|\/+$/g, '')),
    options,
  );
}

/** `a` and `a/b` of `a/b/c.md`. */
function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) folders.push(path.slice(0, at));
  return folders;
}
