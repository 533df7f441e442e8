/** A text in one line without blanks around it, at most so many UTF-16 code units of it, no half characters. */
export const oneLine = (text: string, length: number): string =>
  text
    .slice(0, 2 * length)
    .trim()
    .replace(/\s+/g, ' ')
    .slice(0, length)
    .toWellFormed();
