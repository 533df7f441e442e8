// Programs of this room that another process of it starts. Both src/vault and dist/chunks lie two folders below the root.
import { fileURLToPath } from 'node:url';

const built = (name: string): string =>
  fileURLToPath(new URL(`../../dist/vault/${name}.js`, import.meta.url));

export const vaultPrograms = { indexer: built('indexer'), meaning: built('meaning') };
