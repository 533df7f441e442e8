// Files that belong to a conversation and go where it goes: what its Claude remembers. Claude writes them, so nothing here
// follows a link; they come from another machine, so no path of theirs leads out of their folders.
import { constants } from 'node:fs';
import { lstat, open, opendir, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { folderSynced } from '../../../base/files/folder-synced.ts';
import { claimDirectory, lookAtDirectory } from '../../../base/files/own-path.ts';
import type { Log } from '../../../base/log.ts';
import { type CarriedFile, carriedLimits, isCarriedPath } from '../../../protocol/cluster/carried-files.ts';

/** Files of a conversation that are looked at, whatever there is. */
const mostLooked = 2 * carriedLimits.files;

export interface ConversationFilesOptions {
  /** Paths of the folders of a conversation, each by its name on the way. One that is not there yet holds nothing. */
  folders(key: string): Record<string, string>;
  /** Whether these are its own, and not shared with others. */
  isOwn(key: string): boolean;
  log: Log;
}

interface Found {
  /** Name of its folder, and path below that. */
  path: string;
  at: string;
  bytes: number;
}

interface Look {
  /** What can be carried, smallest first. */
  fit: Found[];
  /** What cannot, each in words. */
  stays: string[];
  /** Folders below, deepest last. */
  folders: string[];
}

export class ConversationFiles {
  readonly #options: ConversationFilesOptions;
  /** What was said of those that stay. */
  readonly #said = new Map<string, string>();

  constructor(options: ConversationFilesOptions) {
    this.#options = options;
  }

  /** @returns all that can be carried; undefined where it has none of its own @throws what the disk says */
  async read(key: string): Promise<CarriedFile[] | undefined> {
    if (!this.#options.isOwn(key)) return undefined;
    const { fit, stays } = await this.#look(key);
    const files: CarriedFile[] = [];
    let left: number = carriedLimits.bytes;
    for (const { path, at } of fit) {
      const bytes = await bytesAt(at, left);
      if (bytes) files.push({ path, data: bytes.toString('base64') });
      else stays.push(`${path}: it could not be read`);
      left -= bytes?.length ?? 0;
    }
    this.#say(key, stays);
    return files;
  }

  /** What of them does not go along with it, each in words. Never rejects. */
  async stays(key: string): Promise<string[]> {
    if (!this.#options.isOwn(key)) return [];
    try {
      return few((await this.#look(key)).stays);
    } catch (error) {
      return [`all of it: ${error instanceof Error ? error.message : String(error)}`];
    }
  }

  /**
   * They are on the disk, in place of what was there, when this resolves.
   * @param files as `CarriedFiles` has checked them
   * @throws UnsafePathError, what the disk says
   */
  async write(key: string, files: readonly CarriedFile[]): Promise<void> {
    const coming = new Set(files.map(({ path }) => path));
    const { fit, folders } = await this.#look(key);
    await removeAll(fit, folders);
    const gave = fit.map(({ path }) => path).filter((path) => !coming.has(path));
    if (gave.length > 0)
      this.#options.log.info('files of a conversation gave way to those that came', { session: key, gave });
    const known = this.#options.folders(key);
    const touched = new Set<string>();
    for (const { path, data } of files) {
      const [name = '', ...below] = path.split('/');
      // A later release may carry more.
      if (known[name] === undefined) continue;
      let dir = claimDirectory(dirname(known[name]));
      for (const each of [basename(known[name]), ...below.slice(0, -1)]) {
        touched.add(dir);
        dir = claimDirectory(join(dir, each));
      }
      await keep(join(dir, below.at(-1) ?? ''), Buffer.from(data, 'base64'));
      touched.add(dir);
    }
    // Whoever had them deletes them next.
    for (const dir of touched) await folderSynced(dir);
  }

  /** They are elsewhere by now; what could not be carried stays. @throws UnsafePathError, what the disk says */
  async remove(key: string, carried: readonly CarriedFile[]): Promise<void> {
    const { fit, folders } = await this.#look(key);
    const gone = new Set(carried.map(({ path }) => path));
    await removeAll(
      fit.filter(({ path }) => gone.has(path)),
      folders,
    );
  }

  async #look(key: string): Promise<Look> {
    const look: Look = { fit: [], stays: [], folders: [] };
    for (const [name, folder] of Object.entries(this.#options.folders(key)))
      if (lookAtDirectory(folder) !== undefined) await lookInto(folder, name, look);
    look.fit.sort((a, b) => a.bytes - b.bytes);
    let [count, left]: [number, number] = [0, carriedLimits.bytes];
    while (count < Math.min(look.fit.length, carriedLimits.files) && (look.fit[count]?.bytes ?? 0) <= left) {
      left -= look.fit[count]?.bytes ?? 0;
      count += 1;
    }
    const most = `more than ${carriedLimits.bytes / 1024 ** 2} MB or ${carriedLimits.files} files`;
    for (const { path } of look.fit.splice(count)) look.stays.push(`${path}: with it there would be ${most}`);
    return look;
  }

  #say(key: string, stays: readonly string[]): void {
    const words = few(stays);
    if (words.join() === (this.#said.get(key) ?? '')) return;
    this.#said.set(key, words.join());
    if (words.length > 0)
      this.#options.log.warn('files of a conversation do not go where it goes', {
        session: key,
        stays: words,
      });
  }
}

async function lookInto(folder: string, name: string, look: Look): Promise<void> {
  look.folders.push(folder);
  for await (const entry of await opendir(folder)) {
    if (look.fit.length + look.stays.length >= mostLooked) {
      look.stays.push(`${name}: not all of it was looked at`);
      return;
    }
    const [path, at] = [`${name}/${entry.name}`, join(folder, entry.name)];
    if (!isCarriedPath(path)) look.stays.push(`${JSON.stringify(path)}: not every system takes that name`);
    else if (entry.isDirectory()) await lookInto(at, path, look);
    else if (entry.isFile()) {
      const bytes = (await lstat(at).catch(() => undefined))?.size;
      if (bytes === undefined) look.stays.push(`${path}: it could not be read`);
      else look.fit.push({ path, at, bytes });
    } else look.stays.push(`${path}: not a plain file`);
  }
}

/** Those that are said in words. */
const few = (stays: readonly string[]): string[] =>
  stays.length > 10 ? [...stays.slice(0, 9), `${stays.length - 9} more`] : [...stays];

async function removeAll(files: readonly Found[], folders: readonly string[]): Promise<void> {
  for (const { at } of files) await rm(at, { force: true });
  // Those in which something is left stay.
  for (const folder of folders.toReversed()) await rmdir(folder).catch(() => {});
}

/** @returns undefined when it went meanwhile, has grown beyond `most`, or something else lies there by now */
async function bytesAt(path: string, most: number): Promise<Buffer | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  try {
    const stats = await file?.stat();
    const bytes = stats?.isFile() && stats.size <= most ? await file?.readFile() : undefined;
    return bytes && bytes.length <= most ? bytes : undefined;
  } finally {
    await file?.close();
  }
}

async function keep(path: string, bytes: Buffer): Promise<void> {
  await rm(path, { force: true });
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}
