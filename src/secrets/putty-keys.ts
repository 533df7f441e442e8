// Private keys as PuTTY writes them: lines of heads, base64 and a check sum.
import type { Place } from './secret.ts';

const begin = /PuTTY-User-Key-File-\d:/g;
const line = /^[>"'| \t]{0,8}(?:[A-Za-z0-9+/=]{1,80}|[A-Za-z0-9-]{1,40}:.{0,200})["', ]{0,4}\r?$/;
const mostLines = 200;

/** Each from its first line to its last one, or as far as lines look like a key's. */
export function* puttyKeys(text: string): Generator<Place> {
  let done = 0;
  for (const { index } of text.matchAll(begin)) {
    if (index < done) continue;
    done = endOf(text, index);
    if (/^[>"'| \t]{0,8}Private-Lines:/m.test(text.slice(index, done)))
      yield { start: index, end: done, kind: 'private key' };
  }
}

function endOf(text: string, at: number): number {
  let end = at;
  for (let lines = 0; lines < mostLines; lines += 1) {
    const next = text.indexOf('\n', end);
    const until = next < 0 ? text.length : next;
    const one = text.slice(end, until);
    if (!line.test(one)) return Math.max(at, end - 1);
    if (next < 0 || one.includes('Private-MAC:')) return until;
    end = next + 1;
  }
  return end - 1;
}
