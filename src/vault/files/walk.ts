// Finds the notes of a vault and what they look like from outside, without opening one: an index tells by it which of them
// to read again. Synchronous, as a walk of 10,000 notes takes less time so than its promises alone would.
import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { VaultSettings } from '../../protocol/settings/vault.ts';
import { codeOf } from './folder.ts';
import { whyNoName } from './inside.ts';
import { type NoteFilter, noteFilter } from './note-filter.ts';
import { unreadable, VaultMissingError } from './vault-missing-error.ts';
import { realRoot } from './vault-root.ts';

/** What a note looks like from outside. */
export interface Stamp {
  /** Of its times in nanoseconds, its size and its inode: another one as soon as it was written or replaced. */
  readonly mark: string;
  /** Bytes. */
  readonly size: number;
  /** Last change of its content, epoch milliseconds. */
  readonly mtimeMs: number;
}

/** What would have been a note, or may hold some, and was not looked at. */
export interface Skipped {
  /** Inside of the vault; empty for the vault itself. */
  readonly path: string;
  /** Why, to stand behind the path: `is a link`. */
  readonly words: string;
}

export interface Walk {
  /** By path inside of the vault, sorted. */
  readonly notes: ReadonlyMap<string, Stamp>;
  /** Sorted by path. */
  readonly skipped: readonly Skipped[];
}

export interface WalkLimits {
  /** Notes. */
  readonly files: number;
  /** Files and folders of all kinds. */
  readonly entries: number;
  /** Folders in folders. */
  readonly depth: number;
}

const usual: WalkLimits = { files: 200_000, entries: 2_000_000, depth: 64 };

/** More of them say nothing more. */
const mostSkipped = 1_000;

/** Bytes in UTF-8, as for `inside`. */
const longestPath = 1_024;

/**
 * All plain files that the settings call notes. No link is followed; hidden files and node_modules are passed over.
 * @param root absolute path of the vault
 * @throws VaultMissingError
 */
export function walkNotes(
  root: string,
  settings: Pick<VaultSettings, 'include' | 'exclude'>,
  limits: WalkLimits = usual,
): Walk {
  let entries: Dirent[];
  const real = realRoot(root);
  try {
    entries = readdirSync(real, { withFileTypes: true });
  } catch (error) {
    throw new VaultMissingError(codeOf(error));
  }
  const walker = new Walker(real, noteFilter(settings), limits);
  walker.take('', entries, 0);
  return walker.result();
}

class Walker {
  readonly #root: string;
  readonly #filter: NoteFilter;
  readonly #limits: WalkLimits;
  readonly #found: [path: string, stamp: Stamp][] = [];
  readonly #skipped: Skipped[] = [];
  #hidden = 0;
  #entries = 0;
  #full = false;

  constructor(root: string, filter: NoteFilter, limits: WalkLimits) {
    this.#root = root;
    this.#filter = filter;
    this.#limits = limits;
  }

  /** @param folder empty for the vault itself @param depth of the entries */
  take(folder: string, entries: readonly Dirent[], depth: number): void {
    for (const entry of entries) {
      if (this.#full) return;
      this.#entries += 1;
      if (this.#entries > this.#limits.entries)
        return this.#stop(`${this.#limits.entries} files and folders`);
      const { name } = entry;
      if (name.startsWith('.')) continue;
      const path = folder === '' ? name : `${folder}/${name}`;
      if (entry.isDirectory()) this.#enter(path, name, depth + 1);
      else if (entry.isFile()) this.#look(path, name);
      else if (entry.isSymbolicLink() && !this.#filter.leavesOut(path)) this.#skip(path, 'is a link');
    }
  }

  result(): Walk {
    if (this.#hidden > 0) this.#skipped.push({ path: '', words: `and ${this.#hidden} more were skipped` });
    this.#found.sort(([left], [right]) => (left < right ? -1 : 1));
    this.#skipped.sort((left, right) => (left.path < right.path ? -1 : left.path > right.path ? 1 : 0));
    return { notes: new Map(this.#found), skipped: this.#skipped };
  }

  #enter(path: string, name: string, depth: number): void {
    if (this.#filter.leavesOut(path)) return;
    const why = whyNot(path, name);
    if (why !== undefined) return this.#skip(path, why);
    if (depth > this.#limits.depth) return this.#skip(path, `lies deeper than ${this.#limits.depth} folders`);
    let entries: Dirent[];
    try {
      entries = readdirSync(join(this.#root, path), { withFileTypes: true });
    } catch (error) {
      return this.#skip(path, whyUnread(name, codeOf(error)));
    }
    this.take(path, entries, depth);
  }

  #look(path: string, name: string): void {
    if (!this.#filter.isNoteHere(path)) return;
    const why = whyNot(path, name);
    if (why !== undefined) return this.#skip(path, why);
    if (this.#found.length >= this.#limits.files) return this.#stop(`${this.#limits.files} notes`);
    try {
      // As exact as the disk has it; costs no more than with numbers (measured).
      const stats = lstatSync(`${this.#root}/${path}`, { bigint: true });
      if (!stats.isFile()) return this.#skip(path, 'is not a plain file');
      const mark = `${stats.mtimeNs}.${stats.ctimeNs}.${stats.size}.${stats.ino}`;
      this.#found.push([path, { mark, size: Number(stats.size), mtimeMs: Number(stats.mtimeMs) }]);
    } catch (error) {
      this.#skip(path, whyUnread(name, codeOf(error)));
    }
  }

  #skip(path: string, words: string): void {
    if (this.#skipped.length < mostSkipped) this.#skipped.push({ path, words });
    else this.#hidden += 1;
  }

  #stop(what: string): void {
    this.#full = true;
    this.#skipped.unshift({ path: '', words: `has more than ${what}; the rest was not looked at` });
  }
}

function whyNot(path: string, name: string): string | undefined {
  if (path.length * 3 > longestPath && Buffer.byteLength(path) > longestPath) return 'has too long a path';
  return whyNoName(name);
}

/** What is in the place of bytes that are no UTF-8 leads to no file. */
function whyUnread(name: string, code: string): string {
  if (name.includes('\ufffd')) return 'has a name that is not valid UTF-8';
  return code === 'ENOENT' ? 'went away meanwhile' : unreadable(code);
}
