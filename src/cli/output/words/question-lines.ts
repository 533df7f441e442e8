// A permission question on a terminal: what would run stands behind a bar in every row, however wide it is.
import type { AskRow } from '../../../domain/views/session/ask-row.ts';
import { foldLine, foldProse } from '../../text/fold-line.ts';
import { rulerFor } from '../../text/ruler.ts';
import { safe } from '../safe.ts';

const bar = '│ ';
/** The row before goes on. */
const goesOn = '┊ ';

/**
 * @param ask its `question` as in an `AskRow`; what Claude says to people is broken between words
 * @param indent in front of every row
 * @param columns of the terminal; none where it is not one: then no row is broken
 */
export async function questionLines(
  { question, tool }: Pick<AskRow, 'question' | 'tool'>,
  indent: string,
  columns: number | undefined,
): Promise<string[]> {
  const fold = tool === 'AskUserQuestion' || tool === 'ExitPlanMode' ? foldProse : foldLine;
  const room = Math.max(8, (columns ?? Number.POSITIVE_INFINITY) - indent.length - bar.length - 1);
  const lines = safe(question)
    .replaceAll('\t', columns === undefined ? '\t' : '  ')
    .split('\n');
  const ruler = await rulerFor(columns === undefined ? [] : lines);
  return lines.flatMap((line) => {
    if (!line.startsWith(bar)) return [`${indent}${line}`];
    const told = line.slice(bar.length);
    const rows = columns === undefined ? [told] : fold(told, room, ruler);
    return rows.map((row, at) => `${indent}${at === 0 ? bar : goesOn}${row}`);
  });
}
