// What a search gives back: few parts of few notes, each with its place. Pure.
import { excerptOf } from './excerpt.ts';
import type { RankedNote } from './rank-notes.ts';
import type { Stems } from './stems.ts';

export interface SearchResult {
  /** Inside of the vault, with `/`. */
  file: string;
  /** 1-based, of the first line of `text`. */
  line: number;
  heading: string;
  text: string;
  /** Of the note: the higher the better; only to be compared with those of the same answer. */
  score: number;
}

/** So many of the best notes show two parts, the others one. */
const notesWithTwo = 3;

/** How many hits have to be asked for: their notes are ranked anew. */
export const hitsFor = (limit: number): number => Math.max(80, limit * 8);

/** @param notes the best first */
export function resultsOf(notes: readonly RankedNote[], stems: Stems, limit: number): SearchResult[] {
  const shown = notes.flatMap(({ score, parts }, at) =>
    parts.slice(0, at < notesWithTwo ? 2 : 1).map((hit) => ({ hit, score })),
  );
  return shown.slice(0, limit).map(({ hit, score }) => {
    const { file, title, heading, line, text } = hit;
    const excerpt = excerptOf(text, line, stems);
    const above = excerpt.heading === undefined ? heading : `${title} › ${excerpt.heading}`;
    const rounded = Math.round(score * 1_000) / 1_000;
    return { file, line: excerpt.line, heading: above || title, text: excerpt.text, score: rounded };
  });
}
