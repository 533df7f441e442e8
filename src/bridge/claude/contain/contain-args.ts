// Pure: what bubblewrap is told. What lies deeper is mounted later, so that a folder which is shown brings nothing back that is
// hidden in it, and what is shown inside of a hidden folder is seen.

/**
 * What stands at a path inside. `read` and `write`: what is there outside, or at `from`. `scratch`: an empty folder that
 * ends with Claude Code. `empty`: one that nobody can write to. `blank`: an empty file.
 */
export type Mount =
  | { path: string; as: 'read' | 'write'; from?: string }
  | { path: string; as: 'scratch' | 'empty' | 'blank' };

const isHidden = ({ as }: Mount): boolean => as === 'scratch' || as === 'empty' || as === 'blank';

/**
 * Namespaces of its own for users, processes, mounts and System V IPC, the network of the machine, no capability, and an end
 * with whoever started it. bubblewrap starts Claude Code as a child of its own process 1, which reaps what is left behind.
 */
const walls = [
  ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--cap-drop', 'ALL', '--die-with-parent'],
  ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
];

/**
 * Returns bubblewrap's arguments, up to the `--` before the program.
 * @param mounts absolute paths without links; of two for one path the last counts @param cwd where the program starts
 */
export function containArgs(mounts: readonly Mount[], cwd: string): string[] {
  const ordered = withoutNeedless(inOrder(mounts));
  // Last of all: until then bubblewrap makes places in them.
  const closed = ordered.flatMap(({ path, as }) => (as === 'empty' ? ['--remount-ro', path] : []));
  return [...walls, ...ordered.flatMap(argsOf), ...closed, '--chdir', cwd, '--'];
}

function inOrder(mounts: readonly Mount[]): Mount[] {
  const byPath = new Map(mounts.map((mount) => [mount.path, mount]));
  return [...byPath.values()].sort((one, other) => depth(one.path) - depth(other.path));
}

/**
 * What is hidden in something hidden, or in a folder that another one stands for, is not there. A place for it would be made
 * in that other folder, in which Claude Code may have left links.
 */
function withoutNeedless(ordered: readonly Mount[]): Mount[] {
  const kept: Mount[] = [];
  for (const mount of ordered) {
    const above = kept.findLast(({ path }) => holds(path, mount.path));
    const isGone = above !== undefined && (isHidden(above) || ('from' in above && above.from !== undefined));
    if (!(isHidden(mount) && isGone)) kept.push(mount);
  }
  return kept;
}

function argsOf(mount: Mount): string[] {
  const { path, as } = mount;
  switch (as) {
    case 'read':
      return ['--ro-bind', mount.from ?? path, path];
    case 'write':
      return ['--bind', mount.from ?? path, path];
    case 'blank':
      return ['--ro-bind', '/dev/null', path];
    case 'scratch':
    case 'empty':
      return ['--tmpfs', path];
    default:
      return as satisfies never;
  }
}

const depth = (path: string): number => path.split('/').filter(Boolean).length;

/** Returns whether a path lies in this folder, or is it. Absolute paths. */
export const holds = (folder: string, path: string): boolean =>
  folder === '/' || path === folder || path.startsWith(`${folder}/`);
