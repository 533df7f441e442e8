// Text as a note may hold it: characters that can be seen, in the one form in which others will search for them.

/** Whatever begins a new line for some reader. */
const lineEnds = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;

/** Control characters, what turns the direction of writing, what is no character, tags that nobody sees. */
const unwanted =
  /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

/** Lines end with `\n`, with no blanks before it; no more than one blank line in a row, none at the ends. */
export function clean(text: string): string {
  const lines = text
    .toWellFormed()
    .replace(lineEnds, '\n')
    .replaceAll('\t', '    ')
    .replace(unwanted, '')
    .normalize('NFC')
    .split('\n')
    .map((line) => line.trimEnd());
  return lines
    .filter((line, at) => line !== '' || (at > 0 && lines[at - 1] !== ''))
    .join('\n')
    .trim();
}

/** In one line, with single blanks. */
export const cleanLine = (text: string): string => clean(text).replace(/\s+/g, ' ');
