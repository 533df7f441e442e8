// What sessions have no business with: what the bridge and Claude Code keep for themselves, wherever folders are put.
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Config } from '../protocol/settings/config.ts';

export interface OwnFiles {
  stateDir: string;
  /** The configuration file and the files that tokens are read from. */
  files: string[];
  /** Claude Code's own: its folder, its sign-in, and where history and transcripts of every folder are. */
  claude: { folder: string; credentials: string; kept: string[] };
}

export function ownFiles(
  stateDir: string,
  configFile: string | undefined,
  { agp, cluster, openclaw, operator }: Pick<Config, 'agp' | 'cluster' | 'openclaw' | 'operator'>,
  env: Readonly<Record<string, string | undefined>>,
): OwnFiles {
  const home = env.HOME || homedir();
  const claude = env.CLAUDE_CONFIG_DIR || join(home, '.claude');
  const files = [
    configFile,
    openclaw.tokenFile,
    operator.secret?.kind === 'totp' ? operator.secret.file : undefined,
    ...agp.map(({ tokenFile }) => tokenFile),
    // Who has them is an operator on every machine.
    ...[cluster?.tokenFile, cluster?.credsFile, cluster?.keyFile],
  ];
  return {
    stateDir,
    files: files.filter((file) => file !== undefined),
    claude: {
      folder: claude,
      credentials: join(claude, '.credentials.json'),
      kept: [claude, join(home, '.claude.json')],
    },
  };
}

/**
 * What the operator should know of the folders that sessions work in, a sentence each.
 * @param folders absolute paths; one that is named twice counts once
 */
export function exposures(folders: readonly string[], { stateDir, files }: OwnFiles): string[] {
  return [...new Set(folders.map(realPlace))].flatMap((folder) => {
    const inside = [stateDir, ...files].filter((path) => holds(folder, realPlace(path)));
    if (inside.length > 0) return [`${folder} holds the bridge's own files (${inside.join(', ')})`];
    return holds(realPlace(stateDir), folder) ? [`${folder} lies in the bridge's state folder`] : [];
  });
}

/** What that means, and what to do. */
export const exposureAdvice =
  'There Claude reads without asking: the token and every conversation are a question away for whoever writes to a session. ' +
  'Give sessions a folder of their own (`--cwd`, or `cwd` in the configuration), or move the state with --state-dir.';

function holds(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The path without links; what does not exist yet is as it is named. */
function realPlace(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : resolve(realPlace(above), relative(above, path));
  }
}
