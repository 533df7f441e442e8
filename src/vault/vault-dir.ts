// Where what belongs to a vault is kept, besides its notes.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hashId } from '../base/digest.ts';
import { claimDirectory } from '../base/files/own-path.ts';
import type { VaultSettings } from '../protocol/settings/vault.ts';

export interface VaultPlaces {
  stateDir: string;
  /** Folder for the index. Another choice of notes is another index: nothing of what was excluded stays in one. */
  dir: string;
  /** Folder for the vectors of its embeddings, inside of it. */
  vectors: string;
  /** Held by whoever writes to the folder of notes, whichever of them he may see. */
  memoryLock: string;
}

const indexName = ({ path, include, exclude }: VaultSettings): string =>
  `index-${hashId(JSON.stringify([path, include, exclude]))}`;

const vectorsName = ({ embeddings, ollama, engine }: VaultSettings): string =>
  `vectors-${hashId(JSON.stringify([embeddings, embeddings === 'ollama' && ollama, engine]))}`;

/** @throws UnsafePathError */
export function vaultPlaces(stateDir: string, settings: VaultSettings): VaultPlaces {
  const all = claimDirectory(join(stateDir, 'vault'));
  const dir = join(all, indexName(settings));
  return {
    stateDir,
    dir,
    vectors: join(dir, vectorsName(settings)),
    memoryLock: join(all, `memories-${hashId(settings.path)}.lock`),
  };
}

/** Removes every index, and all vectors, that are of none of these vaults. @throws UnsafePathError */
export function removeOtherIndexes(stateDir: string, vaults: readonly VaultSettings[]): void {
  const all = claimDirectory(join(stateDir, 'vault'));
  const kept = new Map(vaults.map((vault) => [indexName(vault), new Set<string>()]));
  for (const vault of vaults)
    if (vault.embeddings !== 'none') kept.get(indexName(vault))?.add(vectorsName(vault));
  removeOthers(all, 'index-', new Set(kept.keys()));
  for (const [index, vectors] of kept) removeOthers(join(all, index), 'vectors-', vectors);
}

function removeOthers(folder: string, beginning: string, kept: ReadonlySet<string>): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder))
    if (name.startsWith(beginning) && !kept.has(name))
      rmSync(join(folder, name), { recursive: true, force: true });
}
