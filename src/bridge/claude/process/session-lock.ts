// Two Claude Code processes may resume one session id without any warning; both then append to one transcript and the
// history forks (measured on 2.1.329). So whoever runs one holds a lock file.
import { linkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hashId } from '../../../base/digest.ts';
import { claimDirectory } from '../../../base/files/own-path.ts';
import { readPrivate, writePrivate } from '../../../base/files/private-file.ts';
import { newId } from '../../../base/ids.ts';
import {
  identityOf,
  isAlive,
  type ProcessIdentity,
  readIdentity,
} from '../../../base/process/process-identity.ts';

export type Lock = { ok: true; release(): void } | { ok: false; holder: number };

/** Path → holding, of the locks of this process: by the pid alone its own runs would not exclude each other. */
const held = new Map<string, string>();

/**
 * Takes the lock of a Claude session for this process.
 * @returns the pid of the holder when another live process, or another run of this one, has it.
 */
export function lockSession(stateDir: string, claude: string): Lock {
  const dir = claimDirectory(join(stateDir, 'locks'));
  const path = join(dir, `${hashId(claude)}.lock`);
  const mine = join(dir, `.${newId('lock')}`);
  writePrivate(mine, JSON.stringify(identityOf(process.pid)));
  try {
    // A link is created whole or not at all, unlike open-then-write.
    for (let attempt = 0; attempt < 3; attempt += 1) {
      try {
        linkSync(mine, path);
        held.set(path, mine);
        const release = () => {
          if (held.get(path) !== mine) return;
          held.delete(path);
          rmSync(path, { force: true });
        };
        return { ok: true, release };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const holder = readHolder(path);
      const isOurs = holder?.pid === process.pid;
      if (holder && (isOurs ? held.has(path) : isAlive(holder))) return { ok: false, holder: holder.pid };
      rmSync(path, { force: true });
    }
    return { ok: false, holder: 0 };
  } finally {
    rmSync(mine, { force: true });
  }
}

function readHolder(path: string): ProcessIdentity | undefined {
  try {
    return readIdentity(JSON.parse(readPrivate(path) ?? ''));
  } catch {
    return undefined;
  }
}
