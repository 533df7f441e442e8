import type { Place } from './secret.ts';

/**
 * The text with `‹secret: GitHub token›` in place of each. Ends of lines inside of one stay, so that each line behind it
 * keeps its number.
 *
 * @param secrets sorted, none of them overlaps another
 */
export function masked(text: string, secrets: readonly Place[]): string {
  let all = '';
  let read = 0;
  for (const { start, end, kind } of secrets) {
    const ends = text.slice(start, end).replace(/[^\r\n]/g, '');
    all += `${text.slice(read, start)}‹secret: ${kind}›${ends}`;
    read = end;
  }
  return all + text.slice(read);
}
