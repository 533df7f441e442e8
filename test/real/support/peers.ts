// Where the real programs are, and the small environment they are started with.
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';

/** `REAL_PEERS` is a folder with other releases in it: `npm run test:real -- --latest`. */
const packages = join(process.env.REAL_PEERS ?? resolve(import.meta.dirname, '..'), 'node_modules');

function peer(name: string): string {
  const path = join(packages, '.bin', name);
  if (!existsSync(path))
    throw new Error(`${path} is missing; run "node scripts/install-real-peers.ts" first`);
  return path;
}

/** The release of an installed package. */
export const versionOf = (name: string): string =>
  (JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8')) as { version: string }).version;

/** The executable of Claude Code, pinned in test/real/package.json. */
export const claudePath = (): string => peer('claude');

/** The executable of OpenClaw, pinned in test/real/package.json. */
export const openclawPath = (): string => peer('openclaw');

/** The executable of Codex, pinned in test/real/package.json. */
export const codexPath = (): string => peer('codex');

/** A PATH on which `node` is the Node that runs the tests: OpenClaw and hooks need 24, the system's may be older. */
const peerPath = [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter);

/**
 * An environment that inherits nothing: no credential, proxy or setting of whoever runs the tests reaches a peer.
 *
 * @param home directory that stands in for the user's home
 * @param extra added last, so it wins
 */
export function cleanEnv(home: string, extra: Record<string, string> = {}): Record<string, string> {
  return {
    PATH: peerPath,
    HOME: home,
    TMPDIR: join(home, 'tmp'),
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_STATE_HOME: join(home, '.local/state'),
    XDG_CACHE_HOME: join(home, '.cache'),
    XDG_RUNTIME_DIR: join(home, 'run'),
    SHELL: '/bin/bash',
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    ...extra,
  };
}
