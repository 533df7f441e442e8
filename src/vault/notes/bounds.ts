// How much of a note is read. Nobody who writes by hand meets one of these.

/** A larger file is no note: it is not read at all. Bytes. */
export const largestNote = 4 * 1024 * 1024;

/** Of a chunk, UTF-16 code units: it is ended before it has more than the first, and never has more than the second. */
export const chunkSize = { target: 1_200, most: 2_000 } as const;

/** A longer one is text. */
export const frontmatterSize = { lines: 1_000, units: 64 * 1024 } as const;

/** Number, and length of each in UTF-16 code units. */
export const most = {
  title: 300,
  heading: 300,
  tags: { count: 100, length: 100 },
  aliases: { count: 100, length: 300 },
  links: { count: 1_000, length: 300 },
} as const;
