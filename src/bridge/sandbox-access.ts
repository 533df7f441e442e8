// What the shell commands of a session reach from the sandbox: what is secret is hidden, what is its own is not.
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Config } from '../protocol/settings/config.ts';
import { memoryFolder } from './claude/launch/memory-folder.ts';
import type { SandboxAccess } from './claude/sandbox/sandbox-settings.ts';
import { mediaFolder } from './media-store.ts';
import type { OwnFiles } from './own-files.ts';
import { allowedDomains } from './profiles.ts';

/** In the home folder. */
export const secretFolders: readonly string[] = ['.ssh', '.aws', '.config/gh', '.gnupg'];

interface Places {
  own: Pick<OwnFiles, 'stateDir' | 'files'>;
  controlPath: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** Returns absolute paths, each also as it is without links. */
export function sandboxAccess(config: Config, key: string, { own, controlPath, env }: Places): SandboxAccess {
  const home = env.HOME || homedir();
  const vaults = [config, ...config.profiles].flatMap(({ vault }) => (vault ? [vault.path] : []));
  const hidden = [
    ...secretFolders.map((name) => join(home, name)),
    own.stateDir,
    ...own.files,
    runtimePlace(controlPath),
    ...vaults,
  ];
  const shown = [mediaFolder(key), memoryFolder(key)].map((folder) => join(own.stateDir, folder));
  return { domains: allowedDomains(config, key), hidden: both(hidden), shown: both(shown) };
}

/** The folder of the sockets, where it is the bridge's own. */
export const runtimePlace = (controlPath: string): string => {
  const folder = dirname(controlPath);
  return basename(folder) === 'synthesis' ? folder : controlPath;
};

const both = (paths: readonly string[]): string[] => [
  ...new Set(paths.flatMap((path) => [path, realOf(path)])),
];

/** What does not exist is as it is named. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
