// `<state>/tokens.json`: the tokens that the operator has made. The command line writes it, with or without a bridge, one
// writer at a time; a bridge only reads.
import { closeSync, constants } from 'node:fs';
import { join } from 'node:path';
import { KernelLock } from '../../base/files/kernel-lock.ts';
import { openPrivate, readPrivate, syncFolder, writePrivate } from '../../base/files/private-file.ts';
import { type TokenRecord, TokenRecords } from './token-record.ts';

/** `tokens.json` is there and is none. Nothing was changed. */
export class TokensUnreadableError extends Error {
  readonly path: string;

  constructor(path: string, cause: unknown) {
    super(`${path} is damaged: no token in it holds.`, { cause });
    this.name = 'TokensUnreadableError';
    this.path = path;
  }
}

/** Milliseconds for whoever writes just now. */
const patience = 10_000;

export const tokensPath = (stateDir: string): string => join(stateDir, 'tokens.json');

/** @throws TokensUnreadableError, UnsafePathError, and what the file system throws */
export const readTokens = (stateDir: string): TokenRecord[] => read(stateDir).tokens;

function read(stateDir: string): TokenRecords {
  const path = tokensPath(stateDir);
  const text = readPrivate(path);
  if (text === undefined) return { tokens: [] };
  try {
    return TokenRecords.parse(JSON.parse(text));
  } catch (error) {
    throw new TokensUnreadableError(path, error);
  }
}

/**
 * Writes what `work` makes of the tokens, on disk when this returns. No other process changes them meanwhile.
 * @returns what `work` gives back
 * @throws as `readTokens`, LockBusyError, and whatever `work` throws; then nothing was changed
 */
export function changeTokens<T>(
  stateDir: string,
  work: (tokens: readonly TokenRecord[]) => { tokens: TokenRecord[]; result: T },
): T {
  const path = join(stateDir, 'tokens.lock');
  // The database engine would make it for everybody.
  closeSync(openPrivate(path, constants.O_RDWR | constants.O_CREAT));
  const lock = KernelLock.take(path, patience);
  try {
    const before = read(stateDir);
    const { tokens, result } = work(before.tokens);
    writePrivate(tokensPath(stateDir), `${JSON.stringify({ ...before, tokens }, undefined, 1)}\n`, {
      sync: true,
    });
    syncFolder(stateDir);
    return result;
  } finally {
    lock.release();
  }
}
