// Finds a prompt box of which only is known how it looked when a mark stood in it (see learn-layout.ts). Pure.
import { z } from 'zod';
import { asksSomething } from './menu-signs.ts';

/** A row that frames the box: what it begins with, and the character that fills it. */
const Frame = z.object({ head: z.string(), fill: z.string().min(1) });
export type Frame = z.infer<typeof Frame>;

/** How a release draws its prompt box. */
export const BoxLayout = z.object({
  /** What stands left of the text in its first row: `│ > `. */
  lead: z.string(),
  /** The same of its further rows. */
  more: z.string(),
  /** What stands right of the text, without blanks; '' when nothing does. */
  right: z.string(),
  above: Frame.optional(),
  below: Frame.optional(),
  /** How many rows stand below the text, blank ones left out. */
  rest: z.int(),
  /** Its row on the screen, when nothing stands above it. */
  top: z.int().optional(),
});
export type BoxLayout = z.infer<typeof BoxLayout>;

/** Rows from `first` to `end`, that one left out, hold the text; from `top` to `bottom` it is drawn. */
export interface FoundBox {
  top: number;
  first: number;
  end: number;
}

const plain = (row: string): string => row.replaceAll('\u00a0', ' ');

/** The row frames something; with text in it that is no fill, the rest of what is scrolled away. */
export function isFrame(row: string | undefined, { head, fill }: Frame): boolean {
  if (!row?.startsWith(head + fill.repeat(3))) return false;
  return row.includes(fill.repeat(10)) || hidesText(row);
}

/** `─── ↑ 166 more ───`: the box shows the end of its text. */
const hidesText = (row: string): boolean => /[↑↓] \d+ more/.test(row);

/** The lowest place on the screen that looks like the box. */
export function findLearned(rows: readonly string[], layout: BoxLayout): FoundBox | undefined {
  for (let first = rows.length - 1; first >= 0; first -= 1) {
    const end = begins(rows, first, layout) ? endOf(rows, first, layout) : undefined;
    if (end !== undefined) return { top: layout.above ? first - 1 : first, first, end };
  }
  return undefined;
}

function begins(rows: readonly string[], first: number, { lead, above }: BoxLayout): boolean {
  const row = plain(rows[first] ?? '');
  const hasLead = row.startsWith(lead) || row.trimEnd() === lead.trimEnd();
  if (!above) return hasLead;
  const over = rows[first - 1];
  return isFrame(over, above) && (hasLead || hidesText(over ?? ''));
}

/** @returns the row behind the text; undefined when this is no box, or one without an end */
function endOf(rows: readonly string[], first: number, layout: BoxLayout): number | undefined {
  const { above, below } = layout;
  if (!below) return openEnd(rows, first, layout);
  const isEdge = (row: string) => isFrame(row, below) || (above !== undefined && isFrame(row, above));
  const end = rows.findIndex((row, at) => at > first && isEdge(row));
  return end !== -1 && isFrame(rows[end], below) ? end : undefined;
}

/** How many rows more than before may stand under a box: hints and notices. */
const hints = 2;

/**
 * Without a frame below, the text goes on as far as its rows begin alike, but for a footer that does so as well. An earlier
 * prompt looks like such a box when a dialog has replaced that: below it stands more than below a box, or a question.
 */
function openEnd(rows: readonly string[], first: number, layout: BoxLayout): number | undefined {
  const { more, rest, top } = layout;
  const isFilled = (at: number) => plain(rows[at] ?? '').trim() !== '';
  const isText = (row: string) => row.trim() === '' || plain(row).startsWith(more);
  const stop = rows.findIndex((row, at) => at > first && !isText(row));
  let end = stop === -1 ? rows.length : stop;
  const under = rows.slice(end).filter((row) => row.trim() !== '');
  if (top !== first && (under.length > rest + hints || asksSomething(lastFilled(rows.slice(first + 1)))))
    return undefined;
  for (let footer = rest - under.length; end > first + 1 && (footer > 0 || !isFilled(end - 1)); end -= 1)
    if (isFilled(end - 1)) footer -= 1;
  return end;
}

/** Where a question names its keys. */
const lastFilled = (rows: readonly string[]): string[] => rows.filter((row) => row.trim() !== '').slice(-8);

/** @param bright rows without dim text, which is no text of the box */
export function learnedText(
  bright: readonly string[],
  { first, end }: FoundBox,
  { lead, more, right, below }: BoxLayout,
): string {
  const lines = bright.slice(first, end).map((row, at) => {
    const text = plain(row)
      .slice((at === 0 ? lead : more).length)
      .trimEnd();
    return (right !== '' && text.endsWith(right) ? text.slice(0, -right.length) : text).trim();
  });
  // What stands under an empty row without a frame is something else.
  return below || lines[0] !== '' ? lines.join('\n').trim() : '';
}
