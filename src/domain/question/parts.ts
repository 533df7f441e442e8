/**
 * Cuts a text into parts of at most `most` characters, at ends of lines where there is one. Together they are the text,
 * but for the line ends between them.
 *
 * @param text lines of less than `most` characters
 * @returns at least one
 */
export function partsOf(text: string, most: number): string[] {
  const parts: string[] = [];
  let part: string[] = [];
  let length = 0;
  for (const line of text.split('\n')) {
    if (part.length > 0 && length + line.length > most) {
      parts.push(part.join('\n'));
      part = [];
      length = 0;
    }
    part.push(line);
    length += line.length + 1;
  }
  return [...parts, part.join('\n')];
}
