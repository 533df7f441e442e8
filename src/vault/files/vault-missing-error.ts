/** The folder of notes is not there, or cannot be read. It may come back, as a disk does that is mounted again. */
export class VaultMissingError extends Error {
  readonly code = 'vault_missing';

  /** @param code of the system: `ENOENT`. The message names no folder of this machine: agents read it. */
  constructor(code: string) {
    super(`The folder of the vault ${unreadable(code)}.`);
    this.name = 'VaultMissingError';
  }
}

/** Why a folder or file cannot be read, to stand behind its name. */
export function unreadable(code: string): string {
  if (code === 'ENOENT') return 'does not exist';
  if (code === 'ENOTDIR') return 'is not a folder';
  if (code === 'EACCES' || code === 'EPERM') return 'must not be read by this user';
  return `cannot be read (${code})`;
}
