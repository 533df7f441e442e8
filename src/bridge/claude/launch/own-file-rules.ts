// Rules that keep Claude Code's own tools, and the programs whose arguments it understands, away from the bridge's files.
// Measured on 2.1.329: given with `--settings` they hold in every permission mode, `bypassPermissions` too, against Read,
// Write and Edit, through links and `..`, and against `cat`, `head`, `cp` and their like in its shell. They do not stop a
// search over a whole folder (`grep -r`) or a program of its own that opens the file.
import { realpathSync } from 'node:fs';

/** In the state folder: all but `media`, pictures of messages that Claude is told to look at. */
const inState = ['token', '*.*', 'sessions/**', 'locks/**', 'nats/**'];

/**
 * Values of `permissions.deny`.
 * @param stateDir absolute
 * @param files absolute paths
 */
export function denyRules(stateDir: string, files: readonly string[]): string[] {
  const state = places(stateDir).flatMap((dir) => inState.map((name) => `${literal(dir)}/${name}`));
  const patterns = [...state, ...files.flatMap(places).map(literal)];
  // Absolute paths begin with two slashes, and those of Windows are another matter.
  return patterns.flatMap((path) => (path.startsWith('/') ? [`Read(/${path})`, `Edit(/${path})`] : []));
}

/** Values of `permissions.allow`: what lies in this folder of the state folder may be looked at unasked. */
export const readRules = (stateDir: string, folder: string): string[] =>
  places(stateDir).flatMap((dir) => (dir.startsWith('/') ? [`Read(/${literal(dir)}/${folder}/**)`] : []));

/** As it is named and as it is without links: Claude Code looks at both of what it is asked for. */
function places(path: string): string[] {
  try {
    return [...new Set([path, realpathSync(path)])];
  } catch {
    return [path];
  }
}

const literal = (path: string): string => path.replace(/[\\*?[\]{}()!#]/g, '\\$&');
