// Where the lines of a log go. sonic-boom writes them off the loop, goes on in the middle of a line that only half
// fitted on the disk, and keeps what it could not write; what is here puts a full file aside, gives what is kept a
// bound, and says where lines are missing. Its `flushSync` is not used: on a full disk it never returns (4.2.1).
import { constants, existsSync, fstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import sonic, { type SonicBoom } from 'sonic-boom';
import { openPrivate } from '../../../base/files/private-file.ts';
import type { Cancel, Clock } from '../../../base/time/clock.ts';

export interface LogFileOptions {
  path: string;
  /** A file of this size, bytes, is put aside as `<path>.1`, the one before as `<path>.2`. */
  bytes: number;
  /** How many there are at most, the one that is written included; at least 1. */
  files: number;
  clock: Clock;
  /** The line that stands where `lines` are missing. @param code of the error, such as ENOSPC; empty when the disk was too slow */
  missing(lines: number, code: string): string;
}

/** What waits for a slow disk, beside what is being written, bytes; a line beyond that is missing. */
const mostWaiting = 1024 * 1024;
/** How often a disk that took nothing is tried again, ms. */
const againMs = 1000;
/** For the last lines, ms. */
const goodbyeMs = 500;

export class LogFile {
  readonly #options: LogFileOptions;
  #boom: SonicBoom;
  #size = 0;
  /** The boom has lines. It gets no more until all are written: between two such lots a file can be put aside. */
  #busy = false;
  #waiting: string[] = [];
  #waitingBytes = 0;
  /** The newest line that found no room. While there is one, no other does: what is missing is in one place. */
  #newest: string | undefined;
  #missing = 0;
  /** Of the error that was met since the last lot. */
  #code = '';
  #stuck = false;
  #again: Cancel | undefined;
  #over = false;
  #closing: Promise<void> | undefined;

  /** @throws UnsafePathError, or what the file system throws */
  constructor(options: LogFileOptions) {
    this.#options = options;
    this.#boom = this.#open();
    this.#forgetOldest();
  }

  /** Never throws: whatever becomes of the disk, the caller goes on. */
  write(line: string): void {
    if (this.#closing) return;
    const bytes = Buffer.byteLength(line);
    if (this.#newest === undefined && this.#waitingBytes + bytes <= mostWaiting) {
      this.#waiting.push(line);
      this.#waitingBytes += bytes;
    } else {
      if (this.#newest !== undefined) this.#missing += 1;
      this.#newest = line;
    }
    if (!this.#busy) this.#writeAll();
    else if (this.#stuck) this.#boom.write('');
  }

  /** Waits for the last lines, but not for a disk that takes none. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const ended = Promise.withResolvers<void>();
    const cancel = this.#options.clock.after(goodbyeMs, ended.resolve);
    this.#boom.once('error', () => ended.resolve());
    const last = () => {
      if (!this.#busy) ended.resolve();
    };
    this.#boom.on('drain', last);
    last();
    await ended.promise;
    cancel();
    this.#again?.();
    this.#over = true;
    this.#boom.destroy();
  }

  #open(): SonicBoom {
    const fd = openPrivate(this.#options.path, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND);
    this.#size = fstatSync(fd).size;
    return new sonic.SonicBoom({ fd })
      .on('write', (bytes) => {
        this.#size += bytes;
        this.#stuck = false;
      })
      .on('drain', () => this.#written())
      .on('error', (error: NodeJS.ErrnoException) => this.#tryLater(error.code ?? error.name));
  }

  #writeAll(): void {
    const missing = this.#missing > 0 ? this.#options.missing(this.#missing, this.#code) : '';
    const lines = this.#waiting.join('') + missing + (this.#newest ?? '');
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#newest = undefined;
    this.#missing = 0;
    this.#code = '';
    this.#busy = true;
    this.#boom.write(lines);
  }

  #written(): void {
    if (this.#over) return;
    this.#busy = false;
    if (this.#size >= this.#options.bytes) this.#turnOver();
    if (this.#waiting.length > 0) this.#writeAll();
  }

  #tryLater(code: string): void {
    if (this.#over) return;
    this.#code = code;
    this.#stuck = true;
    this.#again?.();
    this.#again = this.#options.clock.after(againMs, () => this.#boom.write(''));
  }

  /** Puts the file aside, with nothing of it under way. Where that fails, it goes on in the file that is open. */
  #turnOver(): void {
    const { path } = this.#options;
    const full = this.#boom;
    try {
      this.#makeRoom();
      renameSync(path, `${path}.1`);
      try {
        this.#boom = this.#open();
      } catch (error) {
        renameSync(`${path}.1`, path);
        throw error;
      }
      full.destroy();
      this.#forgetOldest();
    } catch {
      // Tried again with the next lines.
    }
  }

  /** Frees the name `<path>.1`. Up to the first gap, so that a try that failed costs no file. */
  #makeRoom(): void {
    const { path } = this.#options;
    let free = 1;
    while (existsSync(`${path}.${free}`)) free += 1;
    for (let to = free; to > 1; to -= 1) renameSync(`${path}.${to - 1}`, `${path}.${to}`);
  }

  /** Also those of a time when more were kept. */
  #forgetOldest(): void {
    const { path, files } = this.#options;
    const prefix = `${basename(path)}.`;
    for (const name of readdirSync(dirname(path))) {
      const number = name.startsWith(prefix) ? name.slice(prefix.length) : '';
      if (/^[1-9]\d{0,5}$/.test(number) && Number(number) >= files)
        rmSync(join(dirname(path), name), { force: true });
    }
  }
}
