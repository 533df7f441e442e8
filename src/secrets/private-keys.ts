// Private keys as text: PEM and PGP, whole or cut, plain, quoted, or in a string of JSON.
import { isPlaceholder } from './placeholder.ts';
import type { Place } from './secret.ts';

const begin = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const rule = '-----';
/** In one line of a key, characters. */
const body = /[A-Za-z0-9+/=]{40,}/;
/** A line that may stand in a key: base64, or a header such as `Version: 1`. */
const keyLine = /^[>"'| \t]{0,8}(?:[A-Za-z0-9+/=\\]*|[A-Za-z-]{1,30}: .*)["',]{0,4}$/;

/** Each from its first line to its last one, or, when that is missing, as far as lines look like a key's. */
export function* privateKeys(text: string): Generator<Place> {
  for (const match of text.matchAll(begin)) {
    const from = match.index + match[0].length;
    // Up to the next rule, and no further: so each key's text is read once.
    const next = text.indexOf(rule, from);
    const inside = text.slice(from, next < 0 ? text.length : next);
    const run = body.exec(inside)?.[0];
    if (run === undefined || isPlaceholder(run.slice(0, 64))) continue;
    const end = endMarker(text, next);
    yield { start: match.index, end: end ?? from + keyLength(inside), kind: 'private key' };
  }
}

/** Behind `-----END … KEY-----`, if it stands there. */
function endMarker(text: string, at: number): number | undefined {
  const found = /^-----END [A-Z0-9 ]{1,80}-----/.exec(text.slice(at, at + 100));
  return found ? at + found[0].length : undefined;
}

function keyLength(inside: string): number {
  let length = 0;
  let seen = false;
  for (const line of inside.split('\n')) {
    if ((seen && line.trim() === '') || !keyLine.test(line.trim())) break;
    seen ||= body.test(line);
    length += line.length + 1;
  }
  // The key stands in the line of its beginning: a string of JSON.
  return length === 0 ? (inside.split('\n', 1)[0]?.length ?? 0) : length - 1;
}
