// A password's name alone in its line, and the value alone in a line below: as a heading, in bold, in a list.
import type { Place } from '../secret.ts';
import { isAssigned } from './assigned.ts';
import { before, indentOf, rest } from './lines.ts';
import { isOtherMatter, passwordName } from './names.ts';
import { valueAt } from './value.ts';

/** A mark of a list or a heading, emphasis, and words that say whose password it is. */
const head =
  /^([ \t>]*)(?:([-*+•])[ \t]+|\d{1,3}[.)][ \t]+|(#{1,6})[ \t]+)?([*_`]{0,3})((?:[\p{L}\d][\p{L}\d_.&-]{0,30}[ _-]){0,4})$/u;
const tail =
  /^["'`*_]{0,3}((?:[ ][\p{L}\d][\p{L}\d.&_-]{0,30}){0,5}?)([:：]?)[*_`]{0,3}([:：]?)[ \t#]{0,8}$/u;
const fence = /^[ \t>]{0,8}(?:```|~~~)\w{0,20}[ \t]{0,4}$/;
/** `valueFrom:`: the next name of a form or a map. */
const key = /^[A-Za-z]?[a-z]{2,30}(?:(?:[-_][A-Z]?|[A-Z])[a-z]{2,30}){0,5}:$/;
const item = /^(?:>?[ \t])*[-*+•][ \t]+/;

/** Values in the line below their name, or behind an empty one. */
export function* below(text: string): Generator<Place> {
  for (const { index, 0: name } of text.matchAll(passwordName())) {
    const end = index + name.length;
    const { line, next } = rest(text, end);
    const [front, back] = [head.exec(before(text, index)), tail.exec(line)];
    if (!front || !back) continue;
    const [, indent, bullet, heading, emphasis, owner = ''] = front;
    const [, words = '', ...colons] = back;
    if (isOtherMatter(owner) || isOtherMatter(words)) continue;
    // Alone and without any sign it is a label only where it is written like one.
    const isLabel = [...colons, bullet, heading, emphasis].some(Boolean);
    if (!isLabel && !/^\p{Lu}|^\p{Lo}/u.test(owner + name)) continue;
    const place = valueBelow(text, next, bullet && indent);
    if (place) yield place;
  }
}

/** @param indent of the list item that has the name; a value that is an item itself stands deeper */
function valueBelow(text: string, at: number, indent: string | undefined): Place | undefined {
  let from = at;
  let line = rest(text, from);
  for (let skipped = 0; skipped < 2 && (line.line.trim() === '' || fence.test(line.line)); skipped += 1) {
    from = line.next;
    line = rest(text, from);
  }
  const mark = item.exec(line.line);
  if (mark && indent !== undefined && indentOf(line.line) <= indent.length) return undefined;
  const begin = mark?.[0].length ?? indentOf(line.line);
  const found = valueAt(line.line.slice(begin), line.isWhole);
  if (!found || key.test(found.value) || !isAssigned(found.value)) return undefined;
  if (line.line.slice(begin + found.start + found.value.length + (found.quoted ? 1 : 0)).trim() !== '')
    return undefined;
  const start = from + begin + found.start;
  return { start, end: start + found.value.length, kind: 'password' };
}
