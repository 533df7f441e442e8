// Finds a memory in a note by its id, wherever the user has moved its lines to.

const newline = 0x0a;

/** How many lines end in the first `length` bytes. */
export function linesIn(note: Buffer, length = note.length): number {
  let lines = 0;
  for (let at = note.indexOf(newline); at !== -1 && at < length; at = note.indexOf(newline, at + 1))
    lines += 1;
  return lines;
}

/** Whether what is written behind it begins a line. */
export const endsLine = (note: Buffer): boolean => note.length === 0 || note.at(-1) === newline;

/** @returns the line that its item begins on, counted from 1; undefined when the note does not have it */
export function lineOfEntry(note: Buffer, id: string): number | undefined {
  const sign = `^${id}`;
  for (let at = note.indexOf(sign); at !== -1; at = note.indexOf(sign, at + 1)) {
    if (!standsAlone(note, at, sign.length)) continue;
    let start = note.lastIndexOf(newline, at) + 1;
    // Further lines of an item are indented.
    while (start > 0 && isContinued(note, start)) start = note.lastIndexOf(newline, start - 2) + 1;
    return linesIn(note, start) + 1;
  }
  return undefined;
}

/** A block's id has a blank in front and the end of the line behind it. */
function standsAlone(note: Buffer, at: number, length: number): boolean {
  const before = at === 0 ? newline : note[at - 1];
  const after = note[at + length] ?? newline;
  return (before === 0x20 || before === newline) && (after === newline || after === 0x0d || after === 0x20);
}

function isContinued(note: Buffer, start: number): boolean {
  return [0x20, 0x09, 0x0d, newline].includes(note[start] ?? 0);
}
