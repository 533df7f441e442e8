// What each line of a note is, as far as that decides where it can be cut.

export const kinds = { text: 0, blank: 1, heading: 2, underline: 3, code: 4 } as const;

/** Deeper indented ones are code themselves, or in a list. */
const fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
export const atx = /^ {0,3}(#{1,6})(?:[ \t]|$)/;
const underline = /^ {0,3}(?:=+|-+)[ \t]*$/;
/** A line of a list, a quotation or a table, or indented code: what is below it is no underline, but a rule. */
const noHeading = /^(?: {4}|\t| {0,3}(?:[-*+>|]|\d{1,9}[.)](?:[ \t]|$)))/;

/**
 * A kind for each line. A code block that is not closed goes to the end; a heading of two lines is one of its kind and an
 * underline. Linear.
 *
 * @param from lines before it are not looked at, and count as blank
 */
export function kindsOf(lines: readonly string[], from: number): Uint8Array {
  const all = new Uint8Array(lines.length).fill(kinds.blank, 0, from);
  let closing: string | undefined;
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (closing !== undefined) {
      all[at] = kinds.code;
      if (closes(line, closing)) closing = undefined;
      continue;
    }
    closing = fence.exec(line)?.[1];
    if (closing !== undefined) all[at] = kinds.code;
    else if (line.trim() === '') all[at] = kinds.blank;
    else if (atx.test(line)) all[at] = kinds.heading;
    else if (underline.test(line) && canBeHeading(lines, all, at - 1, from)) {
      all[at - 1] = kinds.heading;
      all[at] = kinds.underline;
    }
  }
  return all;
}

/** As long as the one that opened it, or longer, and nothing else in its line. */
function closes(line: string, opening: string): boolean {
  const trimmed = line.trim();
  if (trimmed.length < opening.length || !trimmed.startsWith(opening)) return false;
  const sign = opening.charAt(0);
  for (let at = opening.length; at < trimmed.length; at += 1) if (trimmed.charAt(at) !== sign) return false;
  return /^ {0,3}\S/.test(line);
}

/** A paragraph of one line: of a longer one, too, Markdown makes a heading, but nobody means that. */
function canBeHeading(lines: readonly string[], all: Uint8Array, at: number, from: number): boolean {
  if (at < from || all[at] !== kinds.text || noHeading.test(lines[at] ?? '')) return false;
  return at === from || all[at - 1] !== kinds.text;
}
