// A text as a person can read it, from which it could be told again to the letter: nothing in it hides, turns its
// neighbours, pushes them out of sight or ends the block it stands in.
import { marker } from '../../base/text/marker.ts';

/**
 * What cannot be seen, or is not the same everywhere: control, format (zero-width, bidi, tags), unassigned and private
 * characters, lone surrogates, ignorable ones, U+FE0F but behind a pictograph; and the bracket of our own notation.
 */
const unseen =
  /[[\p{C}\p{Default_Ignorable_Code_Point}\u2028\u2029\u27e6]--[\t\n\ufe0f]]|(?<!\p{Extended_Pictographic})\ufe0f/v;
/**
 * What is seen alone and hides things in numbers: blanks and line ends that push the rest off the screen, marks that
 * paint over other lines, and backticks, of which three end a block in every dialect.
 */
const crowd = /[\p{Zs}\t\u2800]{24,}|\n{5,}|`{3,}|\p{M}{5,}/v;
const told = new RegExp(`(?:${unseen.source}){1,999}|${crowd.source}`, 'gv');

/** Most that is drawn of a text, characters, and by how many the marks in it may make it longer. */
export const mostDrawn = { characters: 300_000, longer: 150_000 } as const;

export interface Exact {
  /**
   * The text with all of that written as `⟦U+202E⟧`, or `⟦U+0020×200⟧` for several in a row. Two texts never look the
   * same.
   */
  text: string;
  /** Characters at its end that are left out: drawing takes its time, and nobody reads that much. */
  missing: number;
}

export function exact(whole: string): Exact {
  const end = wholeCharacters(whole, Math.min(whole.length, mostDrawn.characters));
  const mark = marker();
  let text = '';
  let from = 0;
  for (const { 0: found, index } of whole.slice(0, end).matchAll(told)) {
    text += whole.slice(from, index) + mark(found);
    from = index + found.length;
    if (text.length - from > mostDrawn.longer) return { text, missing: whole.length - from };
  }
  return { text: text + whole.slice(from, end), missing: whole.length - end };
}

/** Where a line goes on in the next one, in a block that does not wrap. */
export const lineGoesOn = '⟦↵⟧';

/**
 * Breaks lines that are longer than `most` characters: what a code block does not wrap is out of sight on its right.
 *
 * @param text as `exact` makes it
 */
export function broken(text: string, most: number): string {
  let done = '';
  let from = 0;
  for (let line = 0; line >= 0; ) {
    const next = text.indexOf('\n', line);
    const end = next < 0 ? text.length : next;
    if (end - line > most) {
      done += text.slice(from, line) + breakLine(text.slice(line, end), most);
      from = end;
    }
    line = next < 0 ? -1 : next + 1;
  }
  return done + text.slice(from);
}

function breakLine(line: string, most: number): string {
  const pieces: string[] = [];
  let from = 0;
  while (line.length - from > most) {
    const end = cutBefore(line, from, from + most);
    pieces.push(line.slice(from, end));
    from = end;
  }
  pieces.push(line.slice(from));
  return pieces.join(`${lineGoesOn}\n`);
}

/** The last place up to `end` where neither a character nor a mark of ours is torn apart. */
function cutBefore(line: string, from: number, end: number): number {
  const head = line.slice(from, end);
  const open = head.lastIndexOf('⟦');
  if (open > head.lastIndexOf('⟧') && open > 0) return from + open;
  return wholeCharacters(line, end);
}

/** The last place up to `end` that is not in the middle of a character. */
const wholeCharacters = (text: string, end: number): number =>
  (text.codePointAt(end - 1) ?? 0) > 0xffff ? end - 1 : end;
