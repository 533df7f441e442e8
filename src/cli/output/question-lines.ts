// A permission question on a terminal: what would run stands behind a bar in every row, however wide it is.
import { headCells } from './cells.ts';
import { foldLine } from './fold-line.ts';
import { safe } from './safe.ts';

const bar = '│ ';
/** The row before goes on. */
const goesOn = '┊ ';

/**
 * @param question as `AskRow.question`
 * @param indent in front of every row
 * @param columns of the terminal; none where it is not one: then no row is broken
 */
export function questionLines(question: string, indent: string, columns: number | undefined): string[] {
  const room = Math.max(8, (columns ?? Number.POSITIVE_INFINITY) - indent.length - bar.length - 1);
  return safe(question)
    .split('\n')
    .flatMap((line) => {
      if (!line.startsWith(bar)) return [`${indent}${line}`];
      const rows =
        columns === undefined
          ? [line.slice(2)]
          : foldLine(line.slice(2).replaceAll('\t', '  '), room, headCells);
      return rows.map((row, at) => `${indent}${at === 0 ? bar : goesOn}${row}`);
    });
}
