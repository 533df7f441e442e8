// What the settings of a vault choose: what makes its vectors, and what keeps them. Only that is loaded.
import type { VaultSettings } from '../../protocol/settings/vault.ts';
import { type Embedder, EmbedError } from '../embed/embedder.ts';
import { type ExtraName, extraFolder, isInstalled } from '../extras/extra.ts';
import type { VectorStore } from '../vectors/vector-store.ts';

/** @throws EmbedError `missing` */
export async function embedderOf({ embeddings, ollama }: VaultSettings, stateDir: string): Promise<Embedder> {
  switch (embeddings) {
    case 'ollama': {
      const { Ollama } = await import('../embed/ollama.ts');
      return new Ollama(ollama);
    }
    case 'builtin': {
      const { Builtin } = await import('../embed/builtin.ts');
      return Builtin.load(installed(stateDir, 'sentence-encoder', '--embeddings builtin'));
    }
    case 'none':
      throw new Error('this vault has no embeddings');
    default:
      return embeddings satisfies never;
  }
}

/** @param place of the vectors of one model, without an ending @throws EmbedError `missing`, StoreDamage */
export async function storeOf(
  { engine }: VaultSettings,
  stateDir: string,
  place: string,
): Promise<VectorStore> {
  switch (engine) {
    case 'sqlite': {
      const { SqliteVectors } = await import('../vectors/sqlite-vectors.ts');
      return new SqliteVectors(`${place}.db`);
    }
    case 'lancedb': {
      const { LanceVectors } = await import('../vectors/lance-vectors.ts');
      return LanceVectors.open(installed(stateDir, 'lancedb', '--engine lancedb'), `${place}.lance`);
    }
    default:
      return engine satisfies never;
  }
}

function installed(stateDir: string, name: ExtraName, option: string): string {
  if (isInstalled(stateDir, name)) return extraFolder(stateDir, name);
  throw new EmbedError(
    'missing',
    `"${name}" is not installed, or another version of it is.`,
    `Install it: synthesis vault init <folder> ${option}`,
  );
}
