// One order of notes out of two: by words and by meaning. Pure.
import type { Hit } from '../index/index-reader.ts';
import type { RankedNote } from './rank-notes.ts';

/**
 * How little places at the top differ. With 60, as Cormack, Clarke and Büttcher have it (2009), a note that is far down in
 * both orders comes before the one that has the word: 9 points of hit@5 less than words alone on OpenClaw's manual. With 5
 * none was lost in 12 draws of 100 to 1,283 of its notes, and 2 points were won (`npm run bench:vault -- --embeddings`).
 */
const flatness = 5;

/** How much a place in the order of words counts against one in that of meaning (measured in the same draws). */
const wordsToMeaning = 3;

/**
 * By reciprocal ranks: scores of different kinds cannot be compared, places can. Of each note the parts with the words
 * come first.
 *
 * @param words the best first
 * @param meaning the best first
 * @returns all notes, the best first
 */
export function fused(words: readonly RankedNote[], meaning: readonly RankedNote[]): RankedNote[] {
  const notes = new Map<string, RankedNote>();
  const add = (order: readonly RankedNote[], weight: number) => {
    for (const [at, { file, parts }] of order.entries()) {
      const known = notes.get(file);
      const score = (known?.score ?? 0) + weight / (flatness + at + 1);
      notes.set(file, { file, score, parts: known ? together(known.parts, parts) : parts });
    }
  };
  add(words, wordsToMeaning);
  add(meaning, 1);
  return [...notes.values()].toSorted((a, b) => b.score - a.score);
}

/** Each part once. */
function together(first: readonly Hit[], more: readonly Hit[]): Hit[] {
  const lines = new Set(first.map(({ line }) => line));
  return [...first, ...more.filter(({ line }) => !lines.has(line))];
}
