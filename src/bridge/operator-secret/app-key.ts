// The key of an app for codes, as a file of the state folder. The bridge reads it once, when it starts.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { claimDirectory } from '../../base/files/own-path.ts';
import { writePrivate } from '../../base/files/private-file.ts';
import { fromBase32, toBase32 } from './base32.ts';
import { checkCode, otpauthUri } from './totp.ts';

/** As long as a SHA-1, as RFC 4226 advises. */
const keyBytes = 20;

/** Where it is kept; a file of yours elsewhere does as well. */
export const appKeyFile = (stateDir: string): string => join(stateDir, 'secrets', 'totp');

/** Returns a new key. @param account what the app shows beside its codes */
export function newAppKey(account: string): { base32: string; uri: string } {
  const base32 = toBase32(randomBytes(keyBytes));
  return { base32, uri: otpauthUri(base32, account) };
}

/** Returns whether an app that was given this key shows this code. @param at epoch ms */
export const isCodeOf = (base32: string, code: string, at: number): boolean =>
  checkCode(fromBase32(base32) ?? Buffer.alloc(0), code.replace(/\s/g, ''), at, 0).name === 'right';

/** Writes it, 0600. @returns its path @throws UnsafePathError */
export function keepAppKey(stateDir: string, base32: string): string {
  const file = appKeyFile(stateDir);
  claimDirectory(stateDir);
  claimDirectory(join(stateDir, 'secrets'));
  writePrivate(file, `${base32}\n`, { sync: true });
  return file;
}
