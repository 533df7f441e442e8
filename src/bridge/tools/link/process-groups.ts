// The programs that run as providers, by a file: the next bridge ends what one that was killed has left behind.
import { rmSync } from 'node:fs';
import { readPrivate, writePrivate } from '../../../base/files/private-file.ts';
import type { Log } from '../../../base/log.ts';
import {
  identityOf,
  isAlive,
  type ProcessIdentity,
  readIdentity,
} from '../../../base/process/process-identity.ts';

export class ProcessGroups {
  readonly #file: string;
  readonly #log: Log;
  readonly #running = new Map<number, ProcessIdentity>();

  /** @param file in the state folder */
  constructor(file: string, log: Log) {
    this.#file = file;
    this.#log = log;
  }

  /**
   * Ends what the bridge before has left behind. Only what certainly is what it started: without start times nothing.
   *
   * @returns how many there were
   * @throws UnsafePathError when somebody else may have made the file
   */
  endLeftovers(): number {
    const left = identitiesIn(readPrivate(this.#file) ?? '[]').filter(
      (each) => each.started !== '' && isAlive(each),
    );
    for (const { pid } of left) endGroup(pid);
    this.#keep();
    return left.length;
  }

  add(pid: number): void {
    this.#running.set(pid, identityOf(pid));
    this.#keep();
  }

  /** Ends what may be left of its group, and forgets it. */
  remove(pid: number): void {
    endGroup(pid);
    this.#running.delete(pid);
    this.#keep();
  }

  #keep(): void {
    try {
      if (this.#running.size === 0) rmSync(this.#file, { force: true });
      else writePrivate(this.#file, `${JSON.stringify([...this.#running.values()])}\n`);
    } catch (error) {
      // A full disk must not keep a provider from running; it only could not be cleaned up after a kill.
      this.#log.warn('it was not written down which providers run', { error });
    }
  }
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
}

function identitiesIn(text: string): ProcessIdentity[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.flatMap((each) => readIdentity(each) ?? []) : [];
  } catch {
    return [];
  }
}
