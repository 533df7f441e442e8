// What lies in the state directory, and the small file that says where the running bridge can be reached.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { claimDirectory } from '../base/files/own-path.ts';
import { claimFile, readPrivate, writePrivate } from '../base/files/private-file.ts';
import { newToken } from '../base/ids.ts';

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
export const stateFolders = ['media', 'sessions', 'locks', 'run', 'secrets', 'one-shots', 'vault', 'nats'];
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
  'secrets/hosts',
  'secrets/totp',
  'operator-proof.json',
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

const secretForm = /^[A-Za-z0-9_-]{32,}$/;

const hostSecretFile = (stateDir: string): string => join(stateDir, 'secrets', 'hosts');

/** What a bridge proves to its hosts, and they to it: made once, 0600, said to nobody but them. @throws UnsafePathError */
export function hostSecret(stateDir: string): string {
  const file = hostSecretFile(stateDir);
  claimFile(file);
  const known = readHostSecret(stateDir);
  if (known !== undefined) return known;
  const secret = newToken();
  writePrivate(file, `${secret}\n`);
  return secret;
}

/** @returns undefined where there is none, or what is there is none @throws UnsafePathError */
export function readHostSecret(stateDir: string): string | undefined {
  const secret = readPrivate(hostSecretFile(stateDir))?.trim() ?? '';
  return secretForm.test(secret) ? secret : undefined;
}

export function announceBridge(stateDir: string, about: BridgeFile): void {
  writePrivate(join(stateDir, 'bridge.json'), `${JSON.stringify(about)}\n`);
}

export function withdrawBridge(stateDir: string): void {
  rmSync(join(stateDir, 'bridge.json'), { force: true });
}
