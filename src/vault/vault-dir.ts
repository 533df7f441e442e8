// Where what belongs to a vault is kept, besides its notes.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hashId } from '../base/digest.ts';
import { claimDirectory } from '../base/own-path.ts';
import type { VaultSettings } from '../protocol/vault.ts';

export interface VaultPlaces {
  /** Folder for the index. Another choice of notes is another index: nothing of what was excluded stays in one. */
  dir: string;
  /** Held by whoever writes to the folder of notes, whichever of them he may see. */
  memoryLock: string;
}

const indexName = ({ path, include, exclude }: VaultSettings): string =>
  `index-${hashId(JSON.stringify([path, include, exclude]))}`;

/** @throws UnsafePathError */
export function vaultPlaces(stateDir: string, settings: VaultSettings): VaultPlaces {
  const all = claimDirectory(join(stateDir, 'vault'));
  return {
    dir: join(all, indexName(settings)),
    memoryLock: join(all, `memories-${hashId(settings.path)}.lock`),
  };
}

/** Removes every index that is of none of these vaults. @throws UnsafePathError */
export function removeOtherIndexes(stateDir: string, vaults: readonly VaultSettings[]): void {
  const all = claimDirectory(join(stateDir, 'vault'));
  const kept = new Set(vaults.map(indexName));
  for (const name of readdirSync(all))
    if (name.startsWith('index-') && !kept.has(name))
      rmSync(join(all, name), { recursive: true, force: true });
}
