// The key of the chain: beside the state, or from the operator's own command so that it never lies on this disk.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readPrivate, writePrivate } from '../../../base/files/private-file.ts';
import { runProgram } from '../../../base/process/run-program.ts';
import { AuditKeyError } from '../journal-error.ts';
import { ChainKey } from './chain-key.ts';

const form = /^[0-9a-f]{64}\n?$/;

/** Characters of a key that a command prints: shorter ones could be guessed. */
const shortestKey = 32;

/** Milliseconds that a key command has. */
const keyCommandMs = 10_000;

export const keyFile = (stateDir: string): string => join(stateDir, 'audit.key');

/** @throws AuditKeyError when something else than a key lies there, UnsafePathError */
function storedKey(stateDir: string): ChainKey | undefined {
  const path = keyFile(stateDir);
  const text = readPrivate(path);
  if (text === undefined) return undefined;
  if (form.test(text)) return new ChainKey(Buffer.from(text.trim(), 'hex'));
  throw new AuditKeyError(
    `${path} holds no key, or a damaged one`,
    'put the right file back; if it is lost, remove this one: a new key is made, and the audit says from where on it holds',
  );
}

/**
 * The key in the state directory, made when missing.
 * @throws AuditKeyError, UnsafePathError
 */
export function fileKey(stateDir: string): ChainKey {
  const known = storedKey(stateDir);
  if (known) return known;
  const bytes = randomBytes(32);
  writePrivate(keyFile(stateDir), `${bytes.toString('hex')}\n`);
  return new ChainKey(bytes);
}

/** @throws AuditKeyError when the command fails or prints no key */
export async function commandKey(command: readonly string[]): Promise<ChainKey> {
  const result = await runProgram({ command, timeoutMs: keyCommandMs });
  const words = 'the command that gives the key of the audit failed';
  const remedy = 'correct `audit.keyCommand`, or take it out to keep the key beside the state';
  if (!result.ok) throw new AuditKeyError(`${words}: ${result.words}`, remedy);
  const text = result.stdout.trim();
  if (text.length < shortestKey) {
    throw new AuditKeyError(`${words}: it printed fewer than ${shortestKey} characters`, remedy);
  }
  return new ChainKey(Buffer.from(text, 'utf8'));
}

/** The key to check with: none is made. @throws AuditKeyError, UnsafePathError */
export const keyForReading = async (
  stateDir: string,
  command?: readonly string[],
): Promise<ChainKey | undefined> => (command ? commandKey(command) : storedKey(stateDir));
