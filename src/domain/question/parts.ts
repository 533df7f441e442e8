/**
 * Cuts a text into parts of at most `most` characters, at ends of lines where there is one. Together they are the text,
 * but for the line ends between them.
 *
 * @param text lines of less than `most` characters
 * @returns at least one
 */
export function partsOf(text: string, most: number): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let line = 0; line >= 0; ) {
    const end = text.indexOf('\n', line);
    if (line > from && (end < 0 ? text.length : end) - from > most) {
      parts.push(text.slice(from, line - 1));
      from = line;
    }
    line = end < 0 ? -1 : end + 1;
  }
  return [...parts, text.slice(from)];
}
