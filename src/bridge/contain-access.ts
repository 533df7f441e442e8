// What a contained Claude Code reaches: by the configuration, and where things are on this machine.
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Config } from '../protocol/settings/config.ts';
import type { ContainAccess } from './claude/contain/contain-mounts.ts';
import { memoryFolder } from './claude/launch/memory-folder.ts';
import { mediaFolder } from './media-store.ts';
import type { OwnFiles } from './own-files.ts';
import { containChoice } from './profiles.ts';
import { runtimePlace, secretFolders } from './sandbox-access.ts';

/** In the home folder, besides those that the sandbox hides: the hub's own, and what opens a screen. */
const alsoSecret = ['.openclaw', '.Xauthority', '.git-credentials', '.netrc', '.local/share/keyrings'];

interface Places {
  own: Pick<OwnFiles, 'stateDir' | 'files' | 'claude'>;
  /** The control socket. */
  controlPath: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** Returns absolute paths, as they are named. */
export function containAccess(config: Config, key: string, { own, controlPath, env }: Places): ContainAccess {
  const home = env.HOME || homedir();
  const uid = process.getuid?.() ?? 0;
  const caches = [env.XDG_CACHE_HOME, join(home, '.cache')].filter(
    (path) => path !== undefined && path !== '',
  );
  const vaults = [config, ...config.profiles].flatMap(({ vault }) => (vault ? [vault.path] : []));
  const { containWrite, containLet } = containChoice(config, key);
  return {
    home,
    runtime: env.XDG_RUNTIME_DIR || `/run/user/${uid}`,
    env,
    own: [
      own.stateDir,
      ...own.files,
      runtimePlace(controlPath),
      // What V8 made of the bridge's own program lies there, and is run by it.
      ...caches.map((path) => join(String(path), 'synthesis')),
      ...(env.SYNTHESIS_HOME ? [join(env.SYNTHESIS_HOME, 'cache')] : []),
    ],
    memory: join(own.stateDir, memoryFolder(key)),
    media: join(own.stateDir, mediaFolder(key)),
    secret: [
      ...[...secretFolders, ...alsoSecret].map((name) => join(home, name)),
      ...vaults,
      ...(env.TMUX_TMPDIR ? [join(env.TMUX_TMPDIR, `tmux-${uid}`)] : []),
    ],
    isRoot: process.geteuid?.() === 0,
    write: containWrite.map((path) => (path.startsWith('~/') ? join(home, path.slice(2)) : path)),
    lets: containLet,
    claude: {
      folder: own.claude.folder,
      config: join(env.CLAUDE_CONFIG_DIR ? own.claude.folder : dirname(own.claude.folder), '.claude.json'),
    },
  };
}
