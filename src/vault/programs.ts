// Programs of this room that another process of it starts. Both src/vault and dist/chunks lie two folders below the root.
import { fileURLToPath } from 'node:url';

export const indexerProgram = fileURLToPath(new URL('../../dist/vault/indexer.js', import.meta.url));
