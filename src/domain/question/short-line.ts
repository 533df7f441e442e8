import { exact } from './exact.ts';

/**
 * Foreign words between quotation marks of ours: one line, at most `most` characters, no quotation mark in it. What cannot
 * be seen is written out, which may make it longer.
 */
export function shortLine(text: string, most: number): string {
  // No character has more than two units; folding may need more of them, but nobody has to read them all.
  const folded = text
    .slice(0, 10 * most)
    .replace(/\s+/g, ' ')
    .trim();
  const characters = Array.from(folded.slice(0, 2 * most + 2));
  const cut = characters.length > most || folded.length > 2 * most + 2;
  const shown = cut ? `${characters.slice(0, most).join('')}…` : folded;
  return exact(shown.replaceAll('"', "'")).text;
}
