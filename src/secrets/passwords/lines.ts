// Lines around a place, with a bound: a text of one line would else be read to its ends for each of its names.

const longestBefore = 160;
const longestBehind = 400;

export interface Rest {
  readonly line: string;
  /** Whether the line ends where `line` does. */
  readonly isWhole: boolean;
  /** Where the next line begins. */
  readonly next: number;
}

/** What stands before a place in its line, 160 characters at most. */
export function before(text: string, at: number): string {
  const all = text.slice(Math.max(0, at - longestBefore), at);
  return all.slice(all.lastIndexOf('\n') + 1);
}

/** What stands behind a place in its line, 400 characters at most. */
export function rest(text: string, at: number): Rest {
  const all = text.slice(at, at + longestBehind);
  const end = all.indexOf('\n');
  const line = (end < 0 ? all : all.slice(0, end)).replace(/\r$/, '');
  const isWhole = end >= 0 || at + longestBehind >= text.length;
  return { line, isWhole, next: end < 0 ? text.length : at + end + 1 };
}

/** How many characters of a line are blanks before its text, in a quotation with its marks. */
export const indentOf = (line: string): number => line.length - line.replace(/(?:>?[ \t])*/, '').length;
