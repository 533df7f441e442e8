// Whether commands would really run in Claude Code's sandbox. Where a program is missing, Claude Code 2.1.332 runs them
// without one, and only its screen says so.
import { access } from 'node:fs/promises';
import { runProgram } from '../../../base/process/run-program.ts';
import type { ClaudeSettings } from '../launch/claude-settings.ts';
import { findExecutable } from '../launch/find-executable.ts';

export interface SandboxFault {
  /** What is wrong, a sentence. */
  words: string;
  /** What to do about it, a sentence. */
  remedy: string;
}

/** ms for a sandbox in which nothing runs: 3 to 30 measured; a machine that is busy is no reason to refuse a start. */
const probeMs = 15_000;

/**
 * Returns what keeps commands out of the sandbox; undefined when nothing does. Never rejects.
 * @param settings Claude Code's, in the folder of the session
 * @param inside what a command is started with where Claude Code is contained: its sandbox has to be possible in there
 */
export async function sandboxFault(
  env: Readonly<Record<string, string | undefined>>,
  settings: readonly ClaudeSettings[],
  inside: readonly string[] = [],
  platform: NodeJS.Platform = process.platform,
): Promise<SandboxFault | undefined> {
  return sandboxGap(settings) ?? (await systemFault(env.PATH, inside, platform));
}

/** Pure. What in Claude Code's settings lets commands run outside, whatever a session is started with. */
export function sandboxGap(settings: readonly ClaudeSettings[]): SandboxFault | undefined {
  for (const { level, path, sandbox } of settings) {
    const remedy = level === 'managed' ? 'Ask your organisation to change it.' : 'Take it out of that file.';
    // A file of the folder has no say: see `allowUnsandboxedCommands`.
    if (level !== 'folder' && (sandbox?.excludedCommands?.length ?? 0) > 0)
      return { words: `\`sandbox.excludedCommands\` in ${path} takes commands out of the sandbox.`, remedy };
    if (level !== 'managed') continue;
    if (sandbox?.enabled === false)
      return { words: `Your organisation switches the sandbox off in ${path}.`, remedy };
    if (sandbox?.filesystem?.disabled)
      return { words: `\`sandbox.filesystem.disabled\` in ${path} opens every file to commands.`, remedy };
  }
  return undefined;
}

/** What Claude Code asks of bubblewrap, and cannot be had everywhere inside of another one. */
const asClaude = ['--unshare-user', '--unshare-pid', '--dev', '/dev', '--proc', '/proc'];

async function systemFault(
  path: string | undefined,
  inside: readonly string[],
  platform: NodeJS.Platform,
): Promise<SandboxFault | undefined> {
  if (platform === 'darwin') return await seatbeltFault();
  if (platform !== 'linux')
    return {
      words: 'Claude Code has no sandbox for shell commands on this system.',
      remedy: 'Run the bridge on Linux, in WSL 2 or on macOS, or set `sandbox` to `off`.',
    };
  const bwrap = findExecutable('bwrap', path);
  const missing = [
    ...(bwrap ? [] : ['bubblewrap (`bwrap`)']),
    ...(findExecutable('socat', path) ? [] : ['socat']),
  ];
  if (!bwrap || missing.length > 0)
    return {
      words: `Claude Code's sandbox needs ${missing.join(' and ')}, not found on the PATH of the bridge.`,
      remedy: 'Install it, for example with `apt-get install bubblewrap socat`.',
    };
  const probe = [bwrap, '--ro-bind', '/', '/', ...(inside.length > 0 ? asClaude : []), 'true'];
  const run = await runProgram({ command: [...inside, ...probe], timeoutMs: probeMs });
  if (run.ok) return undefined;
  if (inside.length > 0)
    return {
      words: 'bubblewrap cannot make a sandbox where Claude Code is contained (as root it never can).',
      remedy: 'Run the bridge as another user, or set one of `sandbox` and `contain` to `off`.',
    };
  return {
    words: `bubblewrap cannot make a sandbox on this machine: ${run.words}.`,
    remedy:
      'Allow user namespaces: in Ubuntu an AppArmor profile for bwrap, in a container its own option for that.',
  };
}

const seatbelt = '/usr/bin/sandbox-exec';

const seatbeltFault = (): Promise<SandboxFault | undefined> =>
  access(seatbelt).then(
    () => undefined,
    () => ({
      words: `${seatbelt} of macOS was not found.`,
      remedy: 'Repair the system, or set `sandbox` to `off`.',
    }),
  );
