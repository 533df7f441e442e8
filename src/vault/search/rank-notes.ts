// From parts to notes: in which order they are shown. Pure.
import type { Hit } from '../index/index-reader.ts';

export interface RankedNote {
  /** Inside of the vault, with `/`. */
  file: string;
  /** The higher the better; only to be compared with those of the same order. */
  score: number;
  /** What was found of it, the best first; at least one. */
  parts: readonly Hit[];
}

/** A note is as good as its best two parts (hit@1 62 % instead of 44 %, see docs/guides/vault.md). */
const countedParts = 2;

/** @param hits the best first. @returns the best first */
export function rankedNotes(hits: readonly Hit[]): RankedNote[] {
  const notes = new Map<string, { file: string; score: number; parts: Hit[] }>();
  for (const hit of hits) {
    const note = notes.get(hit.file) ?? { file: hit.file, score: 0, parts: [] };
    notes.set(hit.file, note);
    if (note.parts.length < countedParts) note.score += hit.score;
    note.parts.push(hit);
  }
  return [...notes.values()].toSorted((a, b) => b.score - a.score);
}
