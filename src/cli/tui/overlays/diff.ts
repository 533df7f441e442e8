import { safeLine } from '../../output/safe.ts';
import { foldLine } from '../../text/fold-line.ts';
import { ruler } from '../../text/width.ts';
import { wrap } from '../../text/wrap.ts';
import type { Diffed, DiffRow } from '../diff/diffed.ts';
import type { Model } from '../model/model.ts';
import { blank, type Line, line, span, type Tone } from '../text/line.ts';
import { keyRow } from './foot.ts';
import type { Sheet } from './sheet.ts';

const tones: Record<string, Tone> = { '+': 'good', '-': 'bad', '@': 'accent', '\\': 'dim' };
const foot = keyRow(['v', 'the exact text, to answer'], ['↑↓', 'scroll'], ['Esc', 'back']);

const drawn = new WeakMap<Diffed, { cells: number; lines: Line[] }>();

/** What a question would change, as a diff. Nothing is allowed from here: a diff leaves out what stays. */
export function diffSheet(model: Model, code: string, cells: number): Sheet {
  const title: Line = [span('Change ', 'strong'), span(code, 'warn')];
  const diffed = model.diffs.get(code);
  if (!diffed) return { title, foot, lines: [line('It is being compared.', 'dim')] };
  const known = drawn.get(diffed);
  const lines = known?.cells === cells ? known.lines : linesOf(diffed, cells);
  drawn.set(diffed, { cells, lines });
  return { title, foot, lines };
}

const linesOf = ({ path, notes, rows }: Diffed, cells: number): Line[] => [
  [span('file     ', 'dim'), span(safeLine(path))],
  ...notes.flatMap((note) => wrap(note, cells - 3)).map((each) => line(each, 'dim')),
  blank,
  ...rows.flatMap((row) => rowLines(row, cells)),
];

function rowLines({ mark, text }: DiffRow, cells: number): Line[] {
  const tone = tones[mark] ?? 'plain';
  const shown = mark === '@' ? '' : `${mark} `;
  return foldLine(text.replaceAll('\t', '  '), cells - 5, ruler).map(
    (row, at): Line => [span(at === 0 ? shown : '┊ ', tone), span(row, tone)],
  );
}
