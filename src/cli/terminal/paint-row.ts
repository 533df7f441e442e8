// One row of an emulated screen as text with the colours and attributes of its cells, and nothing else.
import type xterm from '@xterm/headless';
import { hidesSomething, safeProse } from '../output/safe.ts';

type Line = NonNullable<ReturnType<xterm.Terminal['buffer']['active']['getLine']>>;
type Cell = NonNullable<ReturnType<Line['getCell']>>;

/** @param cols cells that fit; a wide character at the edge is left out */
export function paintRow(line: Line, cols: number): string {
  let text = '';
  let style = '';
  const length = Math.min(line.length, cols);
  for (let column = 0; column < length; column += 1) {
    const cell = line.getCell(column);
    if (!cell || cell.getWidth() === 0) continue;
    if (column + cell.getWidth() > cols) break;
    const next = styleOf(cell);
    if (next !== style) text += `\u001b[0${next}m`;
    style = next;
    const chars = cell.getChars();
    const drawn = glyph(chars, cell.getWidth());
    text += drawn;
    // Terminals disagree on the width of such a character: the next one is put where it belongs.
    if (cell.getWidth() === 2 || drawn.length > 1 || drawn === placeholder)
      text += `\u001b[${column + cell.getWidth() + 1}G`;
  }
  // Plain blanks at the end are what erasing the rest of the row leaves.
  return style === '' ? text.trimEnd() : text;
}

/** In the place of a cell that holds more, or something else, than can be seen. */
const placeholder = '\ufffd';

/** What joins emoji and the letters of some scripts joins nothing to a plain letter: it only hides there. */
const joinedToNothing = /^[\x20-\x7e](?!\ufe0f?\u20e3).*?(?:\u200c|\u200d|[\ufe00-\ufe0f])/s;

/**
 * People answer dialogs by what stands here: a character that turns the reading direction or is not seen must not reach
 * their terminal, nor go missing without a trace. An emulator keeps no control characters in cells; whatever else it keeps
 * must not become one.
 */
function glyph(chars: string, width: number): string {
  if (chars === '') return ' ';
  if (chars.length === 1 && chars >= ' ' && chars <= '~') return chars;
  if (joinedToNothing.test(chars) || hidesSomething(chars)) return placeholder.padEnd(width);
  return safeProse(chars).replace(/[\n\t]/g, ' ') || ' ';
}

function styleOf(cell: Cell): string {
  const codes = [
    cell.isBold() ? ';1' : '',
    cell.isDim() ? ';2' : '',
    cell.isItalic() ? ';3' : '',
    cell.isUnderline() ? ';4' : '',
    cell.isBlink() ? ';5' : '',
    cell.isInverse() ? ';7' : '',
    cell.isInvisible() ? ';8' : '',
    cell.isStrikethrough() ? ';9' : '',
    cell.isOverline() ? ';53' : '',
  ];
  return codes.join('') + foreground(cell) + background(cell);
}

function foreground(cell: Cell): string {
  if (cell.isFgRGB()) return `;38;2;${channels(cell.getFgColor())}`;
  return cell.isFgPalette() ? `;38;5;${cell.getFgColor()}` : '';
}

function background(cell: Cell): string {
  if (cell.isBgRGB()) return `;48;2;${channels(cell.getBgColor())}`;
  return cell.isBgPalette() ? `;48;5;${cell.getBgColor()}` : '';
}

const channels = (rgb: number): string => `${(rgb >> 16) & 255};${(rgb >> 8) & 255};${rgb & 255}`;
