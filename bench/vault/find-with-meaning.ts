// The vault with vectors: of the built-in model, and of the same one behind Ollama's API.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Builtin } from '../../src/vault/embed/builtin.ts';
import { meaningHash } from '../../src/vault/index/chunk-hash.ts';
import { EmbeddingServer } from '../../test/real/support/embedding-server.ts';
import { sentenceEncoder } from '../../test/real/support/extras.ts';
import { linkExtras } from '../harness/vault.ts';
import { vaultFinder } from './find-with-vault.ts';
import type { Finder, FinderOptions, Finders } from './finder.ts';

/** The second is given the vectors that the first has made: they take 0.1 s of CPU each. */
export function meaningFinders(): Finders {
  let first = '';
  return {
    'vault, built-in model': (options) => {
      first = options.dir;
      linkExtras(options.dir);
      return vaultFinder(options, { embeddings: 'builtin' });
    },
    'vault, Ollama': (options) => ollamaFinder(options, vectorsIn(first)),
  };
}

async function ollamaFinder(
  options: FinderOptions,
  known: ReadonlyMap<string, Float32Array>,
): Promise<Finder> {
  const hashOf = (text: string) => Buffer.from(meaningHash('', text)).toString('hex');
  const server = await EmbeddingServer.start(await Builtin.load(sentenceEncoder()), (text) =>
    known.get(hashOf(text)),
  );
  const { url, model } = server;
  const finder = await vaultFinder(options, { embeddings: 'ollama', ollama: { url, model } });
  return {
    ...finder,
    [Symbol.asyncDispose]: async () => {
      await finder[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** By the hash of what was embedded, hex. */
function vectorsIn(stateDir: string): Map<string, Float32Array> {
  const vectors = new Map<string, Float32Array>();
  for (const file of globSync('vault/index-*/vectors-*/*.db', { cwd: stateDir })) {
    const db = new DatabaseSync(join(stateDir, file), { readOnly: true });
    for (const { hash, numbers } of db.prepare('SELECT hash, numbers FROM vectors').iterate())
      vectors.set(
        Buffer.from(hash as Uint8Array).toString('hex'),
        // Aligned: SQLite's buffer need not be.
        new Float32Array(new Uint8Array(numbers as Uint8Array).buffer),
      );
    db.close();
  }
  return vectors;
}
