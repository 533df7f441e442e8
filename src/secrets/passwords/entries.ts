// A password's name with its value behind a sign: `- **Password:** …`, `Kennwort Router: …`, `password:: …`.
import type { Place } from '../secret.ts';
import { isAssigned } from './assigned.ts';
import { before, rest } from './lines.ts';
import { isOtherMatter, passwordName } from './names.ts';
import { isListedName } from './reference.ts';
import { type Value, valueAt } from './value.ts';

/** What closes a name, words that say whose password it is, and the sign. */
const toValue =
  /^["'`*_\])}]{0,4}(?:[ \t]{0,4}\([^()\n]{0,40}\))?((?:[ ][\p{L}\d][\p{L}\d.’'_/&+#-]{0,30}){0,6}?)["'`*_]{0,4}[ \t]{0,12}(::|:=|:|：|=>|=(?!=)|→|—|–|-(?=[ ])|\|)/u;
/** `The password is: …` */
const verb = /(?:[ ](?:is|was|ist|war|lautet|now|jetzt|es|est)){1,6}$/iu;
/** A line that begins with the name has nothing but its value behind it. */
const atStart =
  /^[ \t>|]*(?:[-*+•‣][ \t]|\d{1,3}[.)][ \t]|#{1,6}[ \t])?[ \t]*(?:\[[ xX]\][ \t])?["'`*_[({]{0,4}[\p{L}\d _.$-]{0,60}$/u;
const firstCell = /^[ \t>]*\|?[ \t]*["'`*_]{0,4}[\p{L}\d _.-]{0,40}$/u;
/** The row of dashes under the heads of a table. A dash is looked for once: a long row would else be read for each. */
export const separator = /^[ \t>]{0,20}[|:-](?=[|: \t]*-)[|: \t-]*$/;
/** Values behind a name and a sign, each the whole rest of its line, of its cell or a quotation. */
export function* entries(text: string): Generator<Place> {
  for (const { index, 0: name } of text.matchAll(passwordName())) {
    const place = entry(text, index, index + name.length);
    if (place) yield place;
  }
}

function entry(text: string, at: number, end: number): Place | undefined {
  const { line, isWhole, next } = rest(text, end);
  const match = toValue.exec(line);
  if (!match) return undefined;
  const [whole, words = '', sign] = match;
  if (isOtherMatter(words.replace(verb, ''))) return undefined;
  const head = before(text, at);
  const own = head.slice(head.search(/[\p{L}\d_$-]{0,60}$/u));
  // `${DB_PASSWORD:-postgres}`
  if (isOtherMatter(own) || /\$\{\w{0,60}$/.test(head)) return undefined;
  const isDash = sign === '—' || sign === '–' || sign === '-';
  if (isDash && !(/[ \t]$/.test(line.slice(0, whole.length - 1)) && atStart.test(head))) return undefined;
  if (sign === '|' && !(firstCell.test(head) && !separator.test(rest(text, next).line))) return undefined;
  // Emphasis that was begun before the name ends behind the sign: `**Password:** …`.
  const front = head.slice(0, head.length - own.length);
  const opened = front.slice(front.search(/[*_]{0,3}$/));
  const skipped = line.startsWith(opened, whole.length) ? opened.length : 0;
  const from = whole.length + skipped;
  const behind = line.slice(from);
  const found = inBrackets(behind, front) ?? valueAt(behind, isWhole);
  // Unquoted it is a function.
  if (!found || (sign === '=>' && !found.quoted)) return undefined;
  if ((!found.quoted && isListedName(found.value)) || !isAssigned(found.value)) return undefined;
  const start = end + from + found.start;
  return { start, end: start + found.value.length, kind: 'password' };
}

const brackets: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}' };
const mostBlanks = 8;
const longest = 200;

/** Up to the bracket that closes the one before the name: `[password:: …]`. */
function inBrackets(behind: string, front: string): Value | undefined {
  // Where none is before the name, nothing ends: a value has no blank.
  const closer = brackets[front.slice(-1)] ?? ' ';
  const start = behind.slice(0, mostBlanks).search(/[^ \t]|$/);
  const value = behind.slice(start, start + longest).replace(/\s.*/s, '');
  for (let at = value.indexOf(closer, 1); at > 0; at = value.indexOf(closer, at + 1))
    if (/^[.,;:!?)]{0,3}$/.test(value.slice(at + 1)))
      return { start, value: value.slice(0, at), quoted: false };
  return undefined;
}
