// A real `systemd --user`: root starts one for the test, anybody else has one already.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../support/until.ts';

/** It looks for a system that was booted with systemd, and only its own process is to find one. */
const startScript = `
set -e
mount --make-rprivate /
mount -t tmpfs none /run
mkdir -p /run/systemd/system
echo $$ >"$1/cgroup.procs"
exec env -i PATH=/usr/bin:/bin HOME="$2" XDG_RUNTIME_DIR="$2" /lib/systemd/systemd --user
`;

interface Own {
  child: ChildProcess;
  units: string;
}

export class UserSystemd implements AsyncDisposable {
  readonly runtimeDir: string;
  #own: Own | undefined;

  private constructor(runtimeDir: string, own?: Own) {
    this.runtimeDir = runtimeDir;
    this.#own = own;
  }

  static async open(): Promise<UserSystemd> {
    if (process.getuid?.() !== 0) return new UserSystemd(process.env.XDG_RUNTIME_DIR ?? '');
    const runtimeDir = mkdtempSync(join(tmpdir(), 'systemd-'));
    return new UserSystemd(runtimeDir, await start(runtimeDir));
  }

  /** As a reboot does: it ends with all of its units, and begins anew. For root's alone. */
  async reboot(): Promise<void> {
    if (!this.#own) throw new Error('it is not ours to end');
    const own = this.#own;
    this.#own = undefined;
    await end(own);
    rmSync(join(this.runtimeDir, 'systemd/private'), { force: true });
    this.#own = await start(this.runtimeDir);
  }

  /** What finds it. */
  get env(): Record<string, string> {
    return { XDG_RUNTIME_DIR: this.runtimeDir };
  }

  systemctl(...args: string[]): string {
    const env = { PATH: process.env.PATH, ...this.env };
    return execFileSync('systemctl', ['--user', ...args], { env, encoding: 'utf8' });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#own) return;
    await end(this.#own);
    rmSync(this.runtimeDir, { recursive: true, force: true });
  }
}

async function start(runtimeDir: string): Promise<Own> {
  const units = join(unified(), `synthesis-test-${process.pid}`);
  // As systemd names it: by this a bridge sees that it is in one of its units.
  const service = join(units, 'user@0.service');
  mkdirSync(service, { recursive: true });
  const args = ['-m', 'sh', '-c', startScript, 'sh', service, runtimeDir];
  const child = spawn('unshare', args, { detached: true, stdio: 'ignore' });
  await until('systemd --user', () => existsSync(join(runtimeDir, 'systemd/private')), 30_000);
  return { child, units };
}

async function end({ child, units }: Own): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
  await removeUnits(units);
}

/** Where the kernel shows control groups to systemd. */
export function unified(): string {
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .find((line) => line.split(' ')[2] === 'cgroup2');
  if (!mount) throw new Error('there is no cgroup2');
  return mount.split(' ')[1] ?? '';
}

/** With what still runs in them. */
async function removeUnits(dir: string): Promise<void> {
  for (const entry of readdirSync(dir, { withFileTypes: true }))
    if (entry.isDirectory()) await removeUnits(join(dir, entry.name));
  const pids = () => readFileSync(join(dir, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean);
  await until('the end of a unit', () => {
    for (const pid of pids()) kill(Number(pid));
    return pids().length === 0;
  });
  // What was killed is in it until somebody has asked how it ended.
  await until('an empty unit', () => {
    try {
      rmdirSync(dir);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EBUSY') throw error;
      return false;
    }
  });
}

/** It may have ended meanwhile: the parents of many here are gone. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
