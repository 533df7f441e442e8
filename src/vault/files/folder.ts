// A folder of the vault that is held open. What is done in it is done there, whatever stands in its place meanwhile: on
// Linux a path may begin at a descriptor. Elsewhere the place is looked at before and after.
import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { join } from 'node:path';
import { OutsideError } from './inside.ts';
import { quoteName } from './quote-name.ts';
import { isWrittenSo } from './spelling.ts';
import { VaultMissingError } from './vault-missing-error.ts';

const descriptors = '/proc/self/fd';
const hasDescriptors = process.platform === 'linux' && existsSync(descriptors);

/** The disk refused a file of the vault. The message says nothing of where the vault lies. */
export class NoteFileError extends Error {
  /** As the system gives it: `ENOENT`, `EACCES`; `EFBIG` for more than was asked for. */
  readonly code: string;

  constructor(name: string, code: string) {
    super(`${quoteName(name)} ${words[code] ?? `cannot be used (${code})`}.`);
    this.name = 'NoteFileError';
    this.code = code;
  }
}

const words: Readonly<Record<string, string>> = {
  ENOENT: 'is not in the vault',
  ENOTDIR: 'is not in the vault',
  EACCES: 'must not be read by this user',
  EFBIG: 'is too large',
};

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown error';

/** What the file system throws over a path inside, in words that do not name the machine's folders. */
export function asNoteError(name: string, error: unknown): Error {
  if (error instanceof OutsideError || error instanceof NoteFileError) return error;
  return new NoteFileError(name, codeOf(error));
}

export class Folder implements Disposable {
  /** The name it was asked for by, for messages. */
  readonly #name: string;
  /** Where it really is. */
  readonly #real: string;
  readonly #fd: number | undefined;

  private constructor(name: string, real: string, fd: number | undefined) {
    this.#name = name;
    this.#real = real;
    this.#fd = fd;
  }

  /**
   * @param root the vault; may itself be reached over a link, as its owner chose it
   * @param path normalised by `inside`, or empty for the vault itself
   * @param name for messages
   * @throws OutsideError when a link, something else than a folder, or a hidden folder is on the way; NoteFileError; VaultMissingError
   */
  static open(root: string, path: string, name = path): Folder {
    const parts = path === '' ? [] : path.split('/');
    let real: string;
    try {
      real = realpathSync.native(root);
    } catch (error) {
      throw new VaultMissingError(codeOf(error));
    }
    let at = real;
    for (const part of parts) {
      refuseUnlisted(name, part);
      requireExactName(name, at, part, requireFolder(name, join(at, part)));
      at = join(at, part);
    }
    const fd = process.platform === 'win32' ? undefined : openFolder(name, at);
    const folder = new Folder(name, at, fd);
    try {
      folder.requireInPlace();
      return folder;
    } catch (error) {
      folder[Symbol.dispose]();
      throw error;
    }
  }

  /** A path for `node:fs` to something right inside of it. */
  at(part: string): string {
    return this.#fd !== undefined && hasDescriptors
      ? `${descriptors}/${this.#fd}/${part}`
      : join(this.#real, part);
  }

  /** Names of all that is in it. */
  names(): string[] {
    return readdirSync(this.at(''));
  }

  /** @throws OutsideError when what was opened is not, or no longer, where it was looked for: somebody swapped it */
  requireInPlace(): void {
    let found: string | undefined;
    try {
      const path = this.#fd !== undefined && hasDescriptors ? `${descriptors}/${this.#fd}` : undefined;
      found = path === undefined ? realpathSync.native(this.#real) : readlinkSync(path);
    } catch {
      // It is gone.
    }
    if (found !== this.#real) throw new OutsideError(this.#name, 'was moved or replaced while it was opened');
  }

  /** After something was opened in it: there is no need to look again where it was opened by the descriptor. */
  requireStillInPlace(): void {
    if (this.#fd === undefined || !hasDescriptors) this.requireInPlace();
  }

  /** What was created, renamed or removed in it is on disk when this returns. */
  sync(): void {
    if (this.#fd !== undefined) fsyncSync(this.#fd);
  }

  [Symbol.dispose](): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
  }
}

/** @throws OutsideError for what programs keep for themselves; nobody looks for a note there */
export function refuseUnlisted(name: string, part: string): void {
  if (part.startsWith('.')) throw new OutsideError(name, 'is hidden, and left alone');
  if (part.toLowerCase() === 'node_modules')
    throw new OutsideError(name, 'is in node_modules, and left alone');
}

function requireFolder(name: string, path: string): Stats {
  let stats: Stats;
  try {
    stats = lstatSync(path);
  } catch (error) {
    throw asNoteError(name, error);
  }
  if (stats.isSymbolicLink()) throw new OutsideError(name, 'leads over a link');
  if (!stats.isDirectory()) throw new NoteFileError(name, 'ENOTDIR');
  return stats;
}

function openFolder(name: string, path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    const swapped = ['ELOOP', 'ENOTDIR'].includes(codeOf(error));
    throw swapped ? new OutsideError(name, 'leads over a link') : asNoteError(name, error);
  }
}

/** @throws OutsideError when it is written otherwise on a disk that takes upper and lower case for the same */
export function requireExactName(name: string, folder: string, part: string, own: Stats): void {
  const look = (other: string) => {
    try {
      return lstatSync(join(folder, other), { throwIfNoEntry: false });
    } catch {
      // With its accents apart, a name may be longer than the disk takes.
      return undefined;
    }
  };
  if (!isWrittenSo(part, own, look, () => readdirSync(folder)))
    throw new OutsideError(name, 'is written otherwise on the disk; upper and lower case count');
}
