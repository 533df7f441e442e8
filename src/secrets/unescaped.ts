// Editors write `ghp\_…` so that Markdown takes a sign for itself. A token is whole only without its backslashes.
import type { Place } from './secret.ts';

export interface Unescaped {
  readonly text: string;
  /** The place of the original text that a place of this one is. */
  original(place: Place): Place;
}

/** A backslash before a sign; before a second one, both. */
const backslash = /\\(?=[!-/:-@[-`{-~])\\?/g;

/** @returns undefined where nothing is escaped */
export function unescaped(text: string): Unescaped | undefined {
  /** Of each backslash that was left out, its place in the text without them. */
  const left: number[] = [];
  let all = '';
  let read = 0;
  for (const { index } of text.matchAll(backslash)) {
    // Of two backslashes the second one stays.
    all += text.slice(read, index);
    left.push(all.length);
    read = index + 1;
  }
  if (left.length === 0) return undefined;
  all += text.slice(read);
  const back = (at: number): number => {
    let [low, high] = [0, left.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((left[middle] ?? at) < at) low = middle + 1;
      else high = middle;
    }
    return at + low;
  };
  return {
    text: all,
    original: ({ start, end, kind }) => ({ start: back(start), end: back(end), kind }),
  };
}
