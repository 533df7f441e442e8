// Whether Claude Code can be contained, tried before it is started: nothing of it runs where that was required and failed.
import { homedir } from 'node:os';
import { runProgram } from '../../../base/process/run-program.ts';
import { findExecutable } from '../launch/find-executable.ts';
import { holds } from './contain-args.ts';
import { realDisk } from './disk.ts';

export interface ContainFault {
  /** What is wrong, a sentence. */
  words: string;
  /** What to do about it, a sentence. */
  remedy: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** ms for a room in which nothing runs: 5 to 30 measured; a machine that is busy is no reason to refuse a start. */
const probeMs = 15_000;

/** What every room needs of the kernel. */
const least = [
  ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--cap-drop', 'ALL'],
  ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--'],
];

/** Returns what keeps this machine from it; undefined when nothing does. Never rejects. */
export async function containFault(
  env: Env,
  platform: NodeJS.Platform = process.platform,
): Promise<ContainFault | undefined> {
  const found = findBwrap(env, platform);
  return typeof found === 'string' ? await triedIn([found, ...least]) : found;
}

/** Returns bubblewrap's executable, or why there is none. */
export function findBwrap(env: Env, platform: NodeJS.Platform = process.platform): string | ContainFault {
  if (platform !== 'linux')
    return {
      words: 'Claude Code can be contained on Linux only.',
      remedy: 'Set `contain` to `off`, or run the bridge on Linux or in WSL 2.',
    };
  return (
    findExecutable('bwrap', env.PATH) ?? {
      words: 'bubblewrap (`bwrap`) was not found on the PATH of the bridge.',
      remedy: 'Install it, for example with `apt-get install bubblewrap`.',
    }
  );
}

/** Returns what keeps a program from being started like this; undefined when nothing does. Never rejects. */
export async function triedIn(prefix: readonly string[]): Promise<ContainFault | undefined> {
  const run = await runProgram({ command: [...prefix, 'true'], timeoutMs: probeMs });
  if (run.ok) return undefined;
  return {
    words: `bubblewrap cannot contain a program on this machine: ${run.words}.`,
    remedy:
      'Allow user namespaces: in Ubuntu an AppArmor profile for bwrap, in a container its own option for that. A path of `containWrite` or `containLet` may be in the way, too.',
  };
}

/** Returns why nothing in this work folder could be kept from what Claude runs; undefined for any other. */
export function folderAtFault(cwd: string, env: Env): ContainFault | undefined {
  const home = env.HOME || homedir();
  const [folder, own] = [cwd, home].map((path) => realDisk.real(path) ?? path) as [string, string];
  if (!holds(folder, own)) return undefined;
  return {
    words: `The work folder ${cwd} holds your home folder, so that what Claude runs could change your shell.`,
    remedy: 'Give the session a folder of its own: `cwd` in the configuration or in a profile.',
  };
}
