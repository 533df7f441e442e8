// Where the extras of the vault are, as the tests have them installed: by `scripts/install-real-peers.ts`.
import { resolve } from 'node:path';
import { extraFolder } from '../../../src/vault/extras/extra.ts';

/** State directory that has all of them. */
export const extrasState = resolve(import.meta.dirname, '../extras');

/** Folder that `Builtin.load` wants. */
export const sentenceEncoder = (): string => extraFolder(extrasState, 'sentence-encoder');

/** Folder that `LanceVectors.open` wants. */
export const lancedb = (): string => extraFolder(extrasState, 'lancedb');
