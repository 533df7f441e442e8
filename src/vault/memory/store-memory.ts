// Stores a memory in a note: that of its topic, or that of the day. Notes are the user's; they are created and added to,
// never rewritten.
import { closeSync, constants, fstatSync, lstatSync } from 'node:fs';
import { type Folder, NoteFileError } from '../files/folder.ts';
import { inside } from '../files/inside.ts';
import { openIn, readAll } from '../files/open-inside.ts';
import { append } from './append.ts';
import { createNote, removeOldDrafts } from './create-note.ts';
import { asMemoryError } from './disk-error.ts';
import { type Entry, entryOf } from './entry/entry.ts';
import { endsLine, lineOfEntry, linesIn } from './entry/find-entry.ts';
import { noteHead } from './entry/note-head.ts';
import { findParts, longNote } from './entry/parts.ts';
import { dropIntent, settleIntent, writeIntent } from './intent.ts';
import { localDate, localTime } from './local-time.ts';
import { withLock } from './lock.ts';
import { MemoryError } from './memory-error.ts';
import { openMemoryFolder } from './memory-folder.ts';
import { type Memory, type MemoryRequest, readRequest } from './memory-request.ts';

export interface MemoryDeps {
  /** Inside of the vault, `Memories`. */
  readonly folder: string;
  readonly now: Date;
  /** Absolute, in a folder of this user alone; the same one for all who write to this vault. */
  readonly lockFile: string;
}

export interface Stored {
  /** Inside of the vault. */
  readonly file: string;
  /** Where it begins, counted from 1. */
  readonly line: number;
  /** Of its block in Obsidian, without `^`. */
  readonly id: string;
  /** False when the same text was there already: nothing was written. */
  readonly isNew: boolean;
}

/** Bytes of a note that is searched for duplicates; a longer one is not of our making. */
const longestRead = 4 * 1024 * 1024;

/** How often a note is looked at anew that an editor replaces again and again. */
const mostTries = 20;

/**
 * On the disk when this returns. Waits up to 10 s, and blocks, while another process stores one.
 * @param root absolute path of the vault
 * @throws MemoryError when nothing was stored; VaultMissingError
 */
export function storeMemory(root: string, request: MemoryRequest, deps: MemoryDeps): Stored {
  const memory = readRequest(request);
  try {
    const path = inside(root, deps.folder);
    return withLock(deps.lockFile, () => {
      settleIntent(deps.lockFile, root);
      using folder = openMemoryFolder(root, path);
      return new Storing({ root, path, folder, memory, deps }).run();
    });
  } catch (error) {
    throw asMemoryError(error);
  }
}

interface StoringOptions {
  readonly root: string;
  /** Of the folder, inside of the vault. */
  readonly path: string;
  readonly folder: Folder;
  readonly memory: Memory;
  readonly deps: MemoryDeps;
}

/** One memory on its way, under the lock. */
class Storing {
  readonly #options: StoringOptions;
  readonly #entry: Entry;
  readonly #stem: string;
  /** It was written, to a note that was replaced meanwhile: if the new one has it, it is from here. */
  #written = false;

  constructor(options: StoringOptions) {
    const { memory, deps } = options;
    const [date, time] = [localDate(deps.now), localTime(deps.now)];
    this.#options = options;
    this.#stem = memory.topic?.stem ?? date;
    this.#entry = entryOf(memory, memory.topic ? `${date} ${time}` : time);
  }

  run(): Stored {
    const { folder } = this.#options;
    for (let left = mostTries; left > 0; left -= 1) {
      const names = folder.names();
      removeOldDrafts(folder, names);
      const { names: notes, next } = findParts(names, this.#stem);
      const stored = this.#look(notes.at(-2)) ?? this.#write(notes.at(-1), next);
      if (stored) return stored;
    }
    throw new MemoryError(
      'memory_place',
      'Another program replaced the note while the memory was written; it may not have been stored.',
      'Try again in a moment.',
    );
  }

  /** @returns undefined when it is not in that note */
  #look(name: string | undefined): Stored | undefined {
    return name === undefined
      ? undefined
      : this.#using(name, constants.O_RDONLY, (fd) => this.#found(name, readNote(fd, name)));
  }

  /** @returns undefined when somebody has replaced or made the note meanwhile, so that all has to be looked at anew */
  #write(last: string | undefined, next: string): Stored | undefined {
    const added = last === undefined ? 'long' : this.#add(last);
    return added === 'long' ? this.#create(next) : added;
  }

  /** @returns `long` when no more fits into that note; undefined when it was replaced meanwhile */
  #add(name: string): Stored | 'long' | undefined {
    return this.#using(name, constants.O_RDWR | constants.O_APPEND, (fd) => {
      const note = readNote(fd, name);
      const found = this.#found(name, note);
      if (found) return found;
      if (note === undefined || note.length >= longNote) return 'long';
      const line = linesIn(note) + (endsLine(note) ? 1 : 2);
      this.#append(name, fd);
      return this.#isStill(name, fd) ? this.#stored(name, line, true) : undefined;
    });
  }

  /** @returns undefined when there is such a note by now */
  #create(stem: string): Stored | undefined {
    const { folder, memory, deps } = this.#options;
    const part = stem.slice(this.#stem.length);
    const head = noteHead(`${memory.topic?.title ?? this.#stem}${part}`, memory.tags, localDate(deps.now));
    if (!createNote(folder, `${stem}.md`, head + this.#entry.text)) return undefined;
    return this.#stored(`${stem}.md`, linesIn(Buffer.from(head)) + 1, true);
  }

  #append(name: string, fd: number): void {
    const { root, path, deps } = this.#options;
    const file = `${path}/${name}`;
    try {
      append(fd, this.#entry.text, (size, bytes) =>
        writeIntent(deps.lockFile, { root, file, size, text: bytes.toString() }),
      );
    } finally {
      dropIntent(deps.lockFile);
    }
    this.#written = true;
  }

  #found(name: string, note: Buffer | undefined): Stored | undefined {
    const line = note && lineOfEntry(note, this.#entry.id);
    return line === undefined ? undefined : this.#stored(name, line, this.#written);
  }

  /** Whether the note is the one that was written to; editors put another file in its place. */
  #isStill(name: string, fd: number): boolean {
    const stats = lstatSync(this.#options.folder.at(name), { throwIfNoEntry: false });
    const own = fstatSync(fd);
    return stats !== undefined && stats.ino === own.ino && stats.dev === own.dev;
  }

  /** @returns undefined when the note went away: it is being replaced */
  #using<T>(name: string, flags: number, work: (fd: number) => T | undefined): T | undefined {
    const { folder, path } = this.#options;
    let fd: number;
    try {
      fd = openIn(folder, name, flags, `${path}/${name}`);
    } catch (error) {
      if (error instanceof NoteFileError && error.code === 'ENOENT') return undefined;
      throw error;
    }
    try {
      return work(fd);
    } finally {
      closeSync(fd);
    }
  }

  #stored(name: string, line: number, isNew: boolean): Stored {
    return { file: `${this.#options.path}/${name}`, line, id: this.#entry.id, isNew };
  }
}

/** @returns undefined for one that is longer than any of our making */
const readNote = (fd: number, name: string): Buffer | undefined =>
  fstatSync(fd).size > longestRead ? undefined : readAll(fd, name, longestRead);
