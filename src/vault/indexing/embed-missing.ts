// Gives a vector to every part that has none, and takes away those of parts that are gone. What was put stays: whoever is
// interrupted goes on where he was.
import type { Embedder } from '../embed/embedder.ts';
import type { IndexWriter } from '../index/index-writer.ts';
import type { VectorStore } from '../vectors/vector-store.ts';

/** Texts that a model is given at a time. */
const batchTexts = 16;
/** How long a model has for them, the first ones included, milliseconds. */
const batchMs = 120_000;

export interface Embedded {
  /** Parts that got a vector now. */
  made: number;
  /** Parts of which the model makes none. */
  without: number;
}

/**
 * @param progressed gets how many parts have a vector and how many there are, after each batch
 * @param isStopped asked after each batch
 * @throws EmbedError, StoreDamage
 */
export async function embedMissing(
  writer: Pick<IndexWriter, 'meanings' | 'meaningText'>,
  embedder: Embedder,
  store: VectorStore,
  progressed: (done: number, total: number) => void,
  isStopped: () => boolean,
): Promise<Embedded> {
  const wanted = writer.meanings();
  await store.keep(new Set(wanted));
  const known = await store.known();
  const missing = wanted.filter((meaning) => !known.has(meaning));
  let made = 0;
  let without = 0;
  for (let at = 0; at < missing.length && !isStopped(); at += batchTexts) {
    const batch = missing
      .slice(at, at + batchTexts)
      .map((hash) => ({ hash, text: writer.meaningText(hash) ?? '' }));
    const texts = batch.filter(({ text }) => text.trim() !== '');
    const vectors = await embedder.embed(
      texts.map(({ text }) => text),
      'note',
      AbortSignal.timeout(batchMs),
    );
    const rows = texts.flatMap(({ hash }, index) => {
      const vector = vectors[index];
      return vector ? [{ hash, vector }] : [];
    });
    await store.put(rows);
    made += rows.length;
    without += batch.length - rows.length;
    progressed(known.size + made, wanted.length);
  }
  return { made, without };
}
