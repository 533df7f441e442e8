// Where the built-in model for embeddings is, as the tests have it installed.
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** State directory of which the tests use what was installed on demand. */
const extras = resolve(import.meta.dirname, '../extras/vault/extras');

/** @returns the folder that `Builtin.load` wants @throws when it is not installed */
export function sentenceEncoder(): string {
  const names = existsSync(extras) ? readdirSync(extras) : [];
  const name = names.find((each) => each.startsWith('sentence-encoder-'));
  if (name === undefined)
    throw new Error(`no sentence-encoder in ${extras}; run "node scripts/install-real-peers.ts" first`);
  return join(extras, name);
}
