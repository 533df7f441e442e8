// A row of the screen before it is painted: pieces of text, each in a tone. Tones are meanings, not colours.
import { head, inCells, width } from '../../text/width.ts';

export type Tone =
  | 'plain'
  | 'dim'
  | 'strong'
  | 'accent'
  | 'good'
  | 'busy'
  | 'warn'
  | 'bad'
  | 'key'
  | 'tool'
  /** What was looked for. */
  | 'found'
  /** Everything is stopped: seen from across the room. */
  | 'alarm'
  /** The row under the cursor, in the pane that has the focus. */
  | 'chosen'
  /** The same in a pane without the focus. */
  | 'marked';

export interface Span {
  text: string;
  tone: Tone;
}

export type Line = readonly Span[];

export const span = (text: string, tone: Tone = 'plain'): Span => ({ text, tone });
export const line = (text: string, tone: Tone = 'plain'): Line => [{ text, tone }];
export const blank: Line = [];

export const lineWidth = (spans: Line): number => spans.reduce((sum, { text }) => sum + width(text), 0);
export const lineText = (spans: Line): string => spans.map(({ text }) => text).join('');

/** Exactly `cells` wide: cut with `…`, or filled up with blanks. */
export function fitLine(spans: Line, cells: number): Line {
  const total = lineWidth(spans);
  if (total === cells) return spans;
  if (total < cells) return [...spans, span(' '.repeat(cells - total))];
  const cut: Span[] = [];
  let room = cells - 1;
  for (const { text, tone } of spans) {
    const part = head(text, room);
    room -= width(part);
    cut.push({ text: part === text ? text : inCells(`${part}…`, room + width(part) + 1), tone });
    if (part !== text) return cut;
  }
  return cut;
}

/** Both ends of a row; the left one gives way. */
export function spread(left: Line, right: Line, cells: number): Line {
  const end = fitLine(right, Math.min(lineWidth(right), cells));
  return [...fitLine(left, cells - lineWidth(end)), ...end];
}

/** The whole row in one tone. */
export const toned = (spans: Line, tone: Tone): Line => [{ text: lineText(spans), tone }];

/** Exactly `height` rows of exactly `cells` cells. */
export function block(lines: readonly Line[], height: number, cells: number): Line[] {
  return Array.from({ length: Math.max(0, height) }, (_, row) => fitLine(lines[row] ?? blank, cells));
}
