// A permission question on a terminal: what would run stands behind a bar in every row, however wide it is.
import { foldLine } from '../text/fold-line.ts';
import { rulerFor } from '../text/ruler.ts';
import { safe } from './safe.ts';

const bar = '│ ';
/** The row before goes on. */
const goesOn = '┊ ';

/**
 * @param question as `AskRow.question`
 * @param indent in front of every row
 * @param columns of the terminal; none where it is not one: then no row is broken
 */
export async function questionLines(
  question: string,
  indent: string,
  columns: number | undefined,
): Promise<string[]> {
  const room = Math.max(8, (columns ?? Number.POSITIVE_INFINITY) - indent.length - bar.length - 1);
  const lines = safe(question)
    .replaceAll('\t', columns === undefined ? '\t' : '  ')
    .split('\n');
  const ruler = await rulerFor(columns === undefined ? [] : lines);
  return lines.flatMap((line) => {
    if (!line.startsWith(bar)) return [`${indent}${line}`];
    const told = line.slice(bar.length);
    const rows = columns === undefined ? [told] : foldLine(told, room, ruler);
    return rows.map((row, at) => `${indent}${at === 0 ? bar : goesOn}${row}`);
  });
}
