// What lies in the state directory, and the small file that says where the running bridge can be reached.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { claimDirectory } from '../base/files/own-path.ts';
import { writePrivate } from '../base/files/private-file.ts';

/** What `<state>/bridge.json` says while a bridge runs. */
export interface BridgeFile {
  pid: number;
  url: string;
  control: string;
  started_at: string;
  /** Flags that it was started with, by their names. */
  flags?: Readonly<Record<string, string>> | undefined;
  /** Its name among the machines of a cluster, if there is one. */
  node?: string | undefined;
}

/** Folders in the state directory. */
export const stateFolders = ['media', 'sessions', 'locks', 'one-shots', 'vault', 'nats'];
/** Files in it, whoever opens them. `bridge.log.1` and so on are renamed and removed, never opened. */
export const stateFiles = [
  'token',
  'tokens.json',
  'tokens.lock',
  'tokens.used.json',
  'bridge.json',
  'bridge.log',
  'up.log',
  'openclaw.json',
  'journal.db',
  'journal.db-wal',
  'journal.head',
  'journal.reserve',
  'audit.key',
  'panic.json',
  'erasures.json',
  'providers.json',
];

/**
 * Makes the state directory, and the folders in it, this user's alone.
 * @returns its absolute path
 * @throws UnsafePathError
 */
export function claimStateDir(stateDir: string): string {
  const dir = claimDirectory(stateDir);
  for (const name of stateFolders) claimDirectory(join(dir, name));
  return dir;
}

export function announceBridge(stateDir: string, about: BridgeFile): void {
  writePrivate(join(stateDir, 'bridge.json'), `${JSON.stringify(about)}\n`);
}

export function withdrawBridge(stateDir: string): void {
  rmSync(join(stateDir, 'bridge.json'), { force: true });
}
