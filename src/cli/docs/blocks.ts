// A page as rows for a terminal. What markdown-it makes of it is a flat list of tokens; each that opens something has a
// level, and what is in it lies between it and the one that closes it.
import type { Token } from 'markdown-it';
import { blank, type Line, line, lineText, lineWidth, type Span, span, type Tone } from '../tui/text/line.ts';
import { wrapSpans } from './wrap-spans.ts';

/** @param cells of the terminal */
export const pageLines = (tokens: readonly Token[], cells: number): Line[] => fromText(blocks(tokens, cells));

const fromText = (lines: Line[]): Line[] => (lines[0]?.length === 0 ? lines.slice(1) : lines);

/** Each block with an empty row in front of it. */
function blocks(tokens: readonly Token[], cells: number): Line[] {
  const lines: Line[] = [];
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at] as Token;
    const end = token.nesting === 1 ? closing(tokens, at) : at;
    const rows = block(token, tokens.slice(at + 1, end), cells);
    if (rows.length > 0) lines.push(blank, ...rows);
    at = end + 1;
  }
  return lines;
}

/** Where the token is that closes the one at `at`. */
function closing(tokens: readonly Token[], at: number): number {
  const { level } = tokens[at] as Token;
  const end = tokens.findIndex((each, index) => index > at && each.level === level && each.nesting === -1);
  return end < 0 ? tokens.length : end;
}

function block(token: Token, inner: readonly Token[], cells: number): Line[] {
  if (token.type === 'heading_open')
    return wrapSpans(spansOf(inner[0], token.tag === 'h1' ? 'accent' : 'strong'), cells);
  if (token.type === 'paragraph_open') return wrapSpans(spansOf(inner[0]), cells);
  if (token.type === 'fence' || token.type === 'code_block') return code(token.content);
  if (token.type === 'bullet_list_open') return items(inner, cells, () => '• ');
  if (token.type === 'ordered_list_open') return items(inner, cells, (number) => `${number}. `);
  if (token.type === 'blockquote_open') return indented(pageLines(inner, cells - 2), '│ ', '│ ');
  if (token.type === 'table_open') return table(inner, cells);
  return [];
}

/** To the letter, and as long as it is: people copy it. */
const code = (text: string): Line[] =>
  text
    .trimEnd()
    .split('\n')
    .map((row) => line(`    ${row}`, 'tool'));

function items(tokens: readonly Token[], cells: number, mark: (number: number) => string): Line[] {
  const lines: Line[] = [];
  let number = 0;
  for (let at = 0; at < tokens.length; ) {
    const end = closing(tokens, at);
    number += 1;
    const head = mark(number);
    lines.push(
      ...indented(pageLines(tokens.slice(at + 1, end), cells - head.length), head, ' '.repeat(head.length)),
    );
    at = end + 1;
  }
  return lines;
}

const indented = (lines: readonly Line[], first: string, others: string): Line[] =>
  lines.map((each, row) => [span(row === 0 ? first : others, 'dim'), ...each]);

const gap = 2;
/** A column in which a sentence is set has at least so many cells, or the row is set as a list. */
const readable = 30;

/** Side by side where there is room for it; else each row is a name with its words below. */
function table(tokens: readonly Token[], cells: number): Line[] {
  const rows = rowsOf(tokens);
  const [head = []] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => lineWidth(row[column] ?? []))));
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + gap, 0);
  const last = Math.min(widths.at(-1) ?? 0, cells - before);
  if (last < Math.min(widths.at(-1) ?? 0, readable))
    return fromText(rows.slice(1).flatMap((row) => listed(row, head.slice(1), cells)));
  return rows.flatMap((row, at) => beside(at === 0 ? row.map(asHead) : row, [...widths.slice(0, -1), last]));
}

const asHead = (cell: Line): Line => cell.map(({ text }) => span(text, 'dim'));

function beside(row: readonly Line[], widths: readonly number[]): Line[] {
  const cells = widths.map((width, column) => wrapSpans(row[column] ?? [], width));
  const height = Math.max(...cells.map((each) => each.length));
  return Array.from({ length: height }, (_, at) =>
    widths.flatMap((width, column): Line => {
      const part = cells[column]?.[at] ?? blank;
      const isLast = column === widths.length - 1;
      return isLast ? part : [...part, span(' '.repeat(width - lineWidth(part) + gap))];
    }),
  );
}

/** @param heads of the columns behind the first; said where there is more than one */
function listed([name = [], ...others]: readonly Line[], heads: readonly Line[], cells: number): Line[] {
  const named = heads.length > 1;
  const parts = others.flatMap((words, at): Line[] => {
    if (words.length === 0) return [];
    const head = named ? [span(`${lineText(heads[at] ?? [])}: `, 'dim')] : [];
    return indented(wrapSpans([...head, ...words], cells - 4), '    ', '    ');
  });
  return [...(named ? [blank] : []), ...wrapSpans(name, cells), ...parts];
}

/** The cells of every row, the head's first. */
function rowsOf(tokens: readonly Token[]): Line[][] {
  const rows: Line[][] = [];
  for (const [at, { type }] of tokens.entries()) {
    if (type === 'tr_open') rows.push([]);
    if (type === 'th_open' || type === 'td_open') rows.at(-1)?.push(spansOf(tokens[at + 1]));
  }
  return rows;
}

const tones: Record<string, Tone> = { strong_open: 'strong', em_open: 'accent', link_open: 'accent' };

/**
 * @param inline a token whose children are the pieces of a text
 * @param all the tone of every piece, for a heading; else each has its own
 */
function spansOf(inline: Token | undefined, all?: Tone): Span[] {
  const open: { tone: Tone; href: string }[] = [];
  const spans: Span[] = [];
  for (const piece of inline?.children ?? []) {
    const now = all ?? open.at(-1)?.tone ?? 'plain';
    if (piece.nesting === 1)
      open.push({ tone: tones[piece.type] ?? now, href: String(piece.attrGet('href') ?? '') });
    else if (piece.nesting === -1) spans.push(...address(open.pop()?.href ?? ''));
    else if (piece.type === 'code_inline') spans.push(span(piece.content, all ?? 'tool'));
    else if (piece.type === 'image') spans.push(span(`[picture: ${piece.content}]`, 'dim'));
    else spans.push(span(piece.type === 'text' ? piece.content : ' ', now));
  }
  return spans;
}

/** Where a link leads is said when it leads out of these pages. */
const address = (href: string): Span[] => (/^https?:/.test(href) ? [span(` <${href}>`, 'dim')] : []);
