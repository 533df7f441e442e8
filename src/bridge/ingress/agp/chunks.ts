import type { Readable } from '../../../domain/state/text.ts';

/** Longest piece of text in one `message_chunk`, UTF-16 code units. */
export const longestChunk = 16_384;

const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;

/**
 * Where the piece of `text` that starts at `from` ends, at most at `limit`. A surrogate pair is never split: JSON of
 * half a character is read differently by every language. A high surrogate at the end of what is known so far waits for
 * its other half, unless `done` says that nothing follows.
 * @returns `from` when there is nothing to send yet
 */
export function chunkEnd(text: Readable, from: number, limit: number, done: boolean): number {
  const end = Math.min(limit, from + longestChunk);
  if (end <= from || !isHigh(text.charCodeAt(end - 1))) return end;
  if (end < text.length) return isLow(text.charCodeAt(end)) ? end - 1 : end;
  return done ? end : end - 1;
}
