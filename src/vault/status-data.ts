// How a vault and its index are, for people and for agents.
import type { Envelope } from '../protocol/envelope.ts';
import type { VaultSettings } from '../protocol/settings/vault.ts';
import type { Skipped } from './files/walk.ts';
import type { IndexFacts } from './index/index-reader.ts';
import type { IndexJob } from './indexing/index-keeper.ts';
import type { MeaningAnswer } from './meaning/messages.ts';

export interface VaultState {
  /** The name of its folder. */
  name: string;
  index: 'open' | 'none' | 'unsealed';
  facts: IndexFacts | null;
  job: IndexJob | null;
  /** Files that are no part of the index, and why. */
  skipped: readonly Skipped[];
  settings: Pick<VaultSettings, 'memories' | 'embeddings' | 'engine' | 'ollama'>;
  /** What finds notes by their meaning; undefined without embeddings. */
  meaning: MeaningAnswer | undefined;
}

const indexWords = { open: 'ready', none: 'none', unsealed: 'unchecked' } as const;

export const statusData = ({
  name,
  index,
  facts,
  job,
  skipped,
  settings,
  meaning,
}: VaultState): Envelope['data'] => ({
  vault: name,
  index: indexWords[index],
  engine: settings.embeddings === 'none' ? 'lexical' : settings.engine,
  notes: facts?.notes ?? null,
  chunks: facts?.chunks ?? null,
  secrets_withheld: facts?.secrets ?? null,
  memories: settings.memories,
  skipped: skipped.map(({ path, words }) => ({ file: path, why: words })),
  job: job && jobData(job),
  embeddings: meaning === undefined ? null : embeddingsData(settings, meaning),
});

const embeddingsData = (
  { embeddings, ollama }: Pick<VaultSettings, 'embeddings' | 'ollama'>,
  meaning: MeaningAnswer,
): Envelope['data'] => ({
  by: embeddings,
  model: embeddings === 'ollama' ? ollama.model : null,
  ...(meaning.kind === 'fault'
    ? { state: 'failed', done: null, total: null }
    : {
        state: meaning.done < meaning.total ? 'building' : 'ready',
        done: meaning.done,
        total: meaning.total,
      }),
});

export const jobData = (job: IndexJob): Envelope['data'] => ({
  id: job.id,
  state: job.state,
  done: job.done,
  total: job.total,
  started_at: job.started_at,
  took_ms: job.took_ms,
  read: job.result?.read ?? null,
  removed: job.result?.removed ?? null,
  error: job.error?.message ?? null,
});
