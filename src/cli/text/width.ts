// How wide a text is on a terminal: as `string-width` says, for every sign, and measured once.
import stringWidth from 'string-width';
import { type Measure, rulerWith } from './ruler.ts';
import { sureWidth } from './sure.ts';

const ascii = /^[\x20-\x7e]*$/;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

function* split(text: string): Generator<string> {
  for (const { segment } of graphemes.segment(text)) yield segment;
}

/** Widths of graphemes that were measured. A conversation has a few dozen of them. */
const measured = new Map<string, number>();
const mostMeasured = 5_000;
/** Nobody writes a longer one twice, UTF-16 units. */
const longestKept = 32;

function graphemeWidth(grapheme: string): number {
  const known = measured.get(grapheme);
  if (known !== undefined) return known;
  const cells = stringWidth(grapheme);
  if (measured.size >= mostMeasured) measured.clear();
  if (grapheme.length <= longestKept) measured.set(grapheme, cells);
  return cells;
}

const everySign: Measure = {
  width(text) {
    const sure = measured.get(text) ?? sureWidth(text);
    if (sure !== undefined) return sure;
    let cells = 0;
    for (const grapheme of split(text)) cells += graphemeWidth(grapheme);
    return cells;
  },
  graphemesOf: (text) => (sureWidth(text) === undefined ? split(text) : text),
  startOf: (text, at) => graphemes.segment(text).containing(at)?.index ?? at,
};

export const ruler = rulerWith(everySign);
export const { width, fits, first, head, tail, clip, clipStart, clipMiddle, inCells } = ruler;

/** The last grapheme; '' of nothing. */
export const last = (text: string): string =>
  ascii.test(text.slice(-2))
    ? text.slice(-1)
    : (graphemes.segment(text).containing(text.length - 1)?.segment ?? '');
