// `host.json`: by it a bridge finds the host, and without it none ever will.
import { type FSWatcher, rmSync, watch } from 'node:fs';
import { join } from 'node:path';
import { UnsafePathError } from '../base/files/own-path.ts';
import { readPrivate, writePrivate } from '../base/files/private-file.ts';
import type { Cancel, Clock } from '../base/time/clock.ts';
import type { HostFile } from '../protocol/wire/host.ts';

/** Between two looks, ms: the system tells most changes, but not of a folder that was moved, and not everywhere. */
const lookMs = 60_000;

export interface WrittenHostFileOptions {
  dir: string;
  content: HostFile;
  clock: Clock;
  /** It is gone, or another host's. Called once. */
  lost(): void;
}

/** This host's file, from when it is written until it is removed. */
export class WrittenHostFile {
  readonly #path: string;
  readonly #run: string;
  readonly #clock: Clock;
  readonly #lost: () => void;
  #watcher: FSWatcher | undefined;
  #next: Cancel;

  /** @throws UnsafePathError, or the file system's error */
  constructor({ dir, content, clock, lost }: WrittenHostFileOptions) {
    this.#path = join(dir, 'host.json');
    this.#run = content.run;
    this.#clock = clock;
    this.#lost = lost;
    writePrivate(this.#path, `${JSON.stringify(content)}\n`);
    this.#watcher = watched(dir, () => this.#look());
    this.#next = this.#lookLater();
  }

  /** Removes it unless it is another host's by now. Idempotent. */
  remove(): void {
    this.#stop();
    try {
      if (this.#isOurs()) rmSync(this.#path, { force: true });
    } catch {
      // It is found to be of a host that is not there.
    }
  }

  #lookLater(): Cancel {
    return this.#clock.after(lookMs, () => {
      this.#next = this.#lookLater();
      this.#look();
    });
  }

  #look(): void {
    try {
      if (this.#isOurs()) return;
    } catch (error) {
      // That it cannot be read now, as with too many open files, does not say that it is gone.
      if (!(error instanceof UnsafePathError || isNoFolder(error))) return;
    }
    this.#stop();
    this.#lost();
  }

  #isOurs(): boolean {
    const text = readPrivate(this.#path);
    return text !== undefined && runIn(text) === this.#run;
  }

  #stop(): void {
    this.#next();
    this.#watcher?.close();
    this.#watcher = undefined;
  }
}

const isNoFolder = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOTDIR';

/** @returns undefined when there is none in it */
function runIn(text: string): unknown {
  try {
    return (JSON.parse(text) as Partial<HostFile> | null)?.run;
  } catch {
    return undefined;
  }
}

/** @returns undefined where it cannot be had: there are only so many for one user */
function watched(dir: string, changed: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(dir, { persistent: false }, changed);
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}
