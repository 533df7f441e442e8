// What lies beside the code of this room: programs that another process of it starts, and manifests of packages. Both
// src/vault and dist/chunks lie two folders below the root.
import { fileURLToPath } from 'node:url';

const fromRoot = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export const vaultPrograms = {
  indexer: fromRoot('dist/vault/indexer.js'),
  meaning: fromRoot('dist/vault/meaning.js'),
};

/** Manifests of what only some people install: see extras/extra.ts. */
export const shippedExtras = fromRoot('extras/');
