// Gives a vector to every part that has none, and takes away those of parts that are gone. What was put stays: whoever is
// interrupted goes on where he was.
import { anyWord, type Embedder, EmbedError } from '../embed/embedder.ts';
import type { IndexReader } from '../index/index-reader.ts';
import type { VectorStore } from '../vectors/vector-store.ts';
import type { MeaningProgress } from './messages.ts';

export interface Embedded {
  /** Parts that got a vector now. */
  made: number;
  /** Parts of which the model makes none. */
  without: number;
}

/** Texts that a model is given at a time; a question waits for them where the model is in the same process. */
const batchTexts = 8;
/** Vectors that are written at a time: what a kill has made again. */
const putVectors = 64;
/** How long a model has for a batch, the first one included, milliseconds. */
const batchMs = 120_000;

type Rows = { hash: string; vector: Float32Array }[];

export interface EmbedMissingOptions {
  /** Hears how many parts have a vector, of how many. */
  progressed: (progress: MeaningProgress) => void;
  /** Ends it before the next batch. */
  signal: AbortSignal;
}

/** @throws EmbedError, StoreDamage, OtherDimensions, IndexDamage */
export async function embedMissing(
  index: Pick<IndexReader, 'meanings' | 'meaningText'>,
  embedder: Embedder,
  store: VectorStore,
  { progressed, signal }: EmbedMissingOptions,
): Promise<Embedded> {
  const wanted = index.meanings();
  await store.keep(new Set(wanted));
  const known = await store.known();
  const missing = wanted.filter((meaning) => !known.has(meaning));
  const result = { made: 0, without: 0 };
  let rows: Rows = [];
  const tell = () => progressed({ done: known.size + result.made + result.without, total: wanted.length });
  tell();
  try {
    for (let at = 0; at < missing.length && !signal.aborted; at += batchTexts) {
      const batch = missing.slice(at, at + batchTexts);
      const made = await embedBatch(index, embedder, batch, signal);
      rows.push(...made);
      const real = made.filter(({ vector }) => vector.some((number) => number !== 0)).length;
      result.made += real;
      result.without += batch.length - real;
      tell();
      if (rows.length < putVectors) continue;
      await store.put(rows);
      rows = [];
    }
  } finally {
    if (rows.length > 0) await store.put(rows);
  }
  return result;
}

/** @returns zeros for a text of which the model makes no vector, so that it is not asked for it again */
async function embedBatch(
  index: Pick<IndexReader, 'meaningText'>,
  embedder: Embedder,
  hashes: readonly string[],
  signal: AbortSignal,
): Promise<Rows> {
  const batch = hashes.flatMap((hash) => {
    const text = index.meaningText(hash);
    return text === undefined ? [] : [{ hash, text }];
  });
  if (batch.length === 0) return [];
  const texts = batch.map(({ text }) => text);
  const soon = AbortSignal.any([signal, AbortSignal.timeout(batchMs)]);
  const vectors = await embedder.embed(texts, 'note', soon);
  // The texts may be at fault, or the model.
  const sample = vectors.find((vector) => vector) ?? (await embedder.embed([anyWord], 'note', soon))[0];
  if (!sample)
    throw new EmbedError('nonsense', 'The model makes no vectors.', 'Look whether it is one for embeddings.');
  return batch.map(({ hash }, at) => ({ hash, vector: vectors[at] ?? new Float32Array(sample.length) }));
}
