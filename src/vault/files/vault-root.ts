import { realpathSync } from 'node:fs';
import { codeOf } from './folder.ts';
import { VaultMissingError } from './vault-missing-error.ts';

/** @returns absolute, without links @throws VaultMissingError */
export function realRoot(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    throw new VaultMissingError(codeOf(error));
  }
}
