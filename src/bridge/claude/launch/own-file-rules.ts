// Rules that keep Claude Code's own tools, and the programs whose arguments it understands, away from the bridge's files.
// Measured on 2.1.329: given with `--settings` they hold in every permission mode, `bypassPermissions` too, against Read,
// Write and Edit, through links and `..`, and against `cat`, `head`, `cp` and their like in its shell. They do not stop a
// search over a whole folder (`grep -r`) or a program of its own that opens the file.
import { realpathSync } from 'node:fs';

/** In the state folder: all but pictures of messages and what Claude remembers, see `other-session-rules.ts`. */
const inState = ['token', '*.*', 'sessions/**', 'locks/**', 'nats/**', 'run/**', 'secrets/**'];

/**
 * Values of `permissions.deny`.
 * @param stateDir absolute
 * @param files absolute paths
 */
export function denyRules(stateDir: string, files: readonly string[]): string[] {
  const state = places(stateDir).flatMap((dir) => inState.map((name) => `${dir}/${name}`));
  return denied([...state, ...files.flatMap(places)]);
}

/** Neither read nor written. Absolute paths begin with two slashes, and those of Windows are another matter. */
export const denied = (patterns: readonly string[]): string[] =>
  patterns.flatMap((path) => (path.startsWith('/') ? [`Read(/${path})`, `Edit(/${path})`] : []));

/** Values of `permissions.allow`: what lies in this folder of the state folder may be looked at unasked. */
export const readRules = (stateDir: string, folder: string): string[] =>
  places(stateDir).flatMap((dir) => (dir.startsWith('/') ? [`Read(/${dir}/${folder}/**)`] : []));

/** Patterns for it as it is named and as it is without links: Claude Code looks at both of what it is asked for. */
export function places(path: string): string[] {
  return [...new Set([path, realOf(path)])].map(literal);
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

const literal = (path: string): string => path.replace(/[\\*?[\]{}()!#]/g, '\\$&');
