// What the settings of a vault choose: what makes its vectors, and what keeps them. Only that is loaded.
import type { VaultSettings } from '../../protocol/vault.ts';
import { type Embedder, EmbedError } from '../embed/embedder.ts';
import type { VectorStore } from '../vectors/vector-store.ts';

/** @throws EmbedError `missing` */
export async function embedderOf({ embeddings, ollama }: VaultSettings, stateDir: string): Promise<Embedder> {
  if (embeddings === 'ollama') {
    const { Ollama } = await import('../embed/ollama.ts');
    return new Ollama(ollama);
  }
  throw new EmbedError('missing', `x ${stateDir}`, '');
}

/** @param place of the vectors of one model, without an ending @throws EmbedError `missing`, StoreDamage */
export async function storeOf(
  { engine }: VaultSettings,
  stateDir: string,
  place: string,
): Promise<VectorStore> {
  if (engine === 'sqlite') {
    const { SqliteVectors } = await import('../vectors/sqlite-vectors.ts');
    return new SqliteVectors(`${place}.db`);
  }
  throw new EmbedError('missing', `x ${stateDir}`, '');
}
