// Gives a vector to every part that has none, and takes away those of parts that are gone. What was put stays: whoever is
// interrupted goes on where he was.
import { type Embedder, EmbedError } from '../embed/embedder.ts';
import type { IndexReader } from '../index/index-reader.ts';
import type { VectorStore } from '../vectors/vector-store.ts';

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

/**
 * @param progressed gets how many parts have a vector and how many there are, after each batch
 * @param isStopped asked after each batch
 * @throws EmbedError, StoreDamage, IndexDamage
 */
export async function embedMissing(
  index: Pick<IndexReader, 'meanings' | 'meaningText'>,
  embedder: Embedder,
  store: VectorStore,
  progressed: (done: number, total: number) => void,
  isStopped: () => boolean,
): Promise<Embedded> {
  const wanted = index.meanings();
  await store.keep(new Set(wanted));
  const known = await store.known();
  const missing = wanted.filter((meaning) => !known.has(meaning));
  const result = { made: 0, without: 0 };
  let rows: Rows = [];
  progressed(known.size, wanted.length);
  try {
    for (let at = 0; at < missing.length && !isStopped(); at += batchTexts) {
      const batch = missing.slice(at, at + batchTexts);
      const made = await embedBatch(index, embedder, batch);
      rows.push(...made);
      const real = made.filter(({ vector }) => vector.some((number) => number !== 0)).length;
      result.made += real;
      result.without += batch.length - real;
      if (rows.length < putVectors) continue;
      await store.put(rows);
      rows = [];
      progressed(known.size + result.made + result.without, wanted.length);
    }
  } finally {
    if (rows.length > 0) await store.put(rows);
  }
  progressed(known.size + result.made + result.without, wanted.length);
  return result;
}

/** @returns zeros for a text of which the model makes no vector, so that it is not asked for it again */
async function embedBatch(
  index: Pick<IndexReader, 'meaningText'>,
  embedder: Embedder,
  hashes: readonly string[],
): Promise<Rows> {
  const batch = hashes.flatMap((hash) => {
    const text = index.meaningText(hash);
    return text === undefined ? [] : [{ hash, text }];
  });
  const texts = batch.map(({ text }) => text);
  const vectors = await embedder.embed(texts, 'note', AbortSignal.timeout(batchMs));
  const dimensions = vectors.find((vector) => vector)?.length;
  // One text may be at fault; when all are, it is the model.
  if (dimensions === undefined && batch.length > 1)
    throw new EmbedError(
      'nonsense',
      'The model makes vectors of none of the notes.',
      'Look whether it is one for embeddings.',
    );
  if (dimensions === undefined) return [];
  return batch.map(({ hash }, at) => ({ hash, vector: vectors[at] ?? new Float32Array(dimensions) }));
}
