// What a session's Claude Code is started in, when it is to be contained.
import type { AgentSession } from '../../app/ports.ts';
import type { LaunchSpec } from '../launch/launch-spec.ts';
import { claimMemoryFolder } from '../launch/memory-folder.ts';
import { claimSessionDir } from '../launch/session-files.ts';
import type { AgentOptions } from '../options.ts';
import { clearLinks } from './clear-links.ts';
import { containArgs } from './contain-args.ts';
import { type ContainFault, findBwrap, folderAtFault, triedIn } from './contain-fault.ts';
import { type ContainAccess, containMounts } from './contain-mounts.ts';
import { realDisk } from './disk.ts';
import { privateClaude } from './private-claude.ts';
import { claimTextFolder } from './text-folder.ts';

type RoomOptions = Pick<
  AgentOptions,
  'env' | 'stateDir' | 'nodePath' | 'channelEntry' | 'containFor' | 'sharesMemory'
>;

export interface MadeRoom {
  /** What stands before a command that is to run in there. */
  prefix: readonly [string, ...string[]];
  /** Returns how Claude Code is started in there. */
  started(spec: LaunchSpec): LaunchSpec;
}

/**
 * Makes the folders that it needs, and tries it.
 * @param command of Claude Code @returns why there can be none; never rejects
 */
export async function makeRoom(
  options: RoomOptions,
  session: AgentSession,
  command: readonly string[],
): Promise<MadeRoom | ContainFault> {
  const { env, stateDir } = options;
  const { cwd } = session.launch;
  const access = options.containFor?.(session.key);
  try {
    // Also where there is no room for it: its long texts are there all the same.
    claimTextFolder(claimSessionDir(stateDir, session.key));
    const bwrap = findBwrap(env);
    if (typeof bwrap !== 'string') return bwrap;
    const fault = folderAtFault(cwd, env);
    if (fault || !access) return fault ?? { words: 'Nothing says how to contain it.', remedy: '' };
    const prefix = [bwrap, ...argsFor(access, options, session, command)] as const;
    return (await triedIn(prefix)) ?? { prefix, started: (spec) => startedIn(prefix, access, spec) };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return {
      words: `The folders for it could not be made in ${stateDir}: ${words}.`,
      remedy: 'Set that right.',
    };
  }
}

function argsFor(
  access: ContainAccess,
  { stateDir, nodePath, channelEntry, ...options }: RoomOptions,
  { key, claude, launch, resume }: AgentSession,
  command: readonly string[],
): string[] {
  const dir = claimSessionDir(stateDir, key);
  claimMemoryFolder(stateDir, key);
  const cwd = realDisk.real(launch.cwd) ?? launch.cwd;
  const own = privateClaude(dir, access.claude, {
    claude,
    cwd,
    resumes: resume,
    sharesMemory: options.sharesMemory?.(key) ?? false,
  });
  const programs = [...command, nodePath, channelEntry].filter((path) => path.startsWith('/'));
  const mounts = containMounts({ access, cwd, programs, own }, realDisk);
  clearLinks(mounts);
  return containArgs(mounts, launch.cwd);
}

/** Its folder is named: only then is its configuration looked for in it, where it can be written. */
const startedIn = (prefix: MadeRoom['prefix'], { claude }: ContainAccess, spec: LaunchSpec): LaunchSpec => ({
  ...spec,
  argv: [...prefix, ...spec.argv],
  env: { ...spec.env, CLAUDE_CONFIG_DIR: claude.folder },
});
