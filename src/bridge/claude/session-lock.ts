// Two Claude Code processes may resume one session id without any warning; both then append to one transcript and the
// history forks (measured on 2.1.329). So whoever runs one holds a lock file.
import { existsSync, linkSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hashId } from '../../base/digest.ts';
import { newId } from '../../base/ids.ts';
import { claimDirectory } from '../../base/own-path.ts';
import { readPrivate, writePrivate } from '../../base/private-file.ts';

export type Lock = { ok: true; release(): void } | { ok: false; holder: number };

interface Holder {
  pid: number;
  /** Start time of the process as the kernel counts it; '' where it cannot be read. Guards against a reused pid. */
  started: string;
}

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
  writePrivate(mine, JSON.stringify({ pid: process.pid, started: startedAt(process.pid) } satisfies Holder));
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

function readHolder(path: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(readPrivate(path) ?? '');
    if (typeof value !== 'object' || value === null) return undefined;
    const { pid, started } = value as Partial<Holder>;
    return typeof pid === 'number' ? { pid, started: typeof started === 'string' ? started : '' } : undefined;
  } catch {
    return undefined;
  }
}

function isAlive({ pid, started }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return started === '' || started === startedAt(pid);
}

/** Field 22 of /proc/PID/stat; '' elsewhere than on Linux. */
function startedAt(pid: number): string {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return '';
  try {
    // The second field is the program's name in parentheses and may hold blanks.
    return readFileSync(path, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
