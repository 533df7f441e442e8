// One hit of a search in the notes as rows: where it is, what stands there, and what of it is not shown.

import { wrap } from '../../text/wrap.ts';
import { type Line, line, type Span, span } from '../../tui/text/line.ts';
import { safeLine } from '../safe.ts';

export interface NoteHit {
  file: string;
  /** 1-based, of the first line of `text`. */
  line: number;
  heading: string;
  text: string;
}

/** A line with a secret that `text` does not hold. */
export interface Hidden {
  file: string;
  line: number;
  kind: string;
}

/** Where in a text the words are that were looked for: UTF-16 offsets, in order. */
export type Places = (text: string) => readonly { start: number; end: number }[];

export interface HitOptions {
  hidden: readonly Hidden[];
  places: Places;
  /** Of the terminal; undefined: nothing is wrapped, as programs like to read it. */
  columns: number | undefined;
}

const indent = '    ';
/** Rows of text of one hit. */
const mostRows = 8;
/** Rows in front of the first word that was looked for, where not all of them are shown. */
const rowsBefore = 2;
const narrowest = 20;

export function hitLines(hit: NoteHit, { hidden, places, columns }: HitOptions): Line[] {
  const room =
    columns === undefined ? Number.POSITIVE_INFINITY : Math.max(narrowest, columns - indent.length);
  const rows = wrap(hit.text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd(), room);
  return [
    [span(`${safeLine(hit.file)}:${hit.line}`, 'accent'), span(`  ${safeLine(hit.heading)}`, 'strong')],
    ...part(rows, places).map((row): Line => [span(indent), ...marked(row, places)]),
    ...hiddenIn(hit, hidden).map((each) =>
      line(`${indent}Not shown: ${safeLine(each.kind)}, line ${each.line}`, 'warn'),
    ),
  ];
}

/** The rows that are worth their room. */
function part(rows: readonly string[], places: Places): string[] {
  if (rows.length <= mostRows) return [...rows];
  const first = rows.findIndex((row) => places(row).length > 0);
  const from = Math.min(first < mostRows ? 0 : first - rowsBefore, rows.length - mostRows);
  const shown = rows.slice(from, from + mostRows);
  return [...(from > 0 ? ['…'] : []), ...shown, ...(from + mostRows < rows.length ? ['…'] : [])];
}

/** @param row that is safe: what it was before may have other places */
function marked(row: string, places: Places): Span[] {
  const spans: Span[] = [];
  let at = 0;
  for (const { start, end } of places(row)) {
    spans.push(span(row.slice(at, start)), span(row.slice(start, end), 'found'));
    at = end;
  }
  return [...spans, span(row.slice(at))].filter(({ text }) => text !== '');
}

/** Each once: two hits may overlap. */
function hiddenIn({ file, line: first, text }: NoteHit, hidden: readonly Hidden[]): Hidden[] {
  const last = first + text.split('\n').length - 1;
  const here = hidden.filter((each) => each.file === file && each.line >= first && each.line <= last);
  return [...new Map(here.map((each) => [`${each.line} ${each.kind}`, each])).values()];
}
