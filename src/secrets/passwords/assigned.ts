// Whether what stands alone where a password belongs is one: behind `Password:` up to the end of its line, in a column
// with that name, under a heading. Here every value is one that is not known to be something else.
import { elided, standsIn } from '../placeholder.ts';
import { isCounted } from './counted.ts';
import { isItself } from './itself.ts';
import { isMethod } from './method.ts';
import { arePlainWords } from './plain-words.ts';
import { isReference, isTellingName } from './reference.ts';

/** People's passwords are no sentences of a script without blanks. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
/** `3,897ms`, `12.5MB`, `8+`, `8-64`, `v2.1`, `90d`. */
const measure =
  /^[<>≥≤~]?\d{1,6}(?:[.,:x-]\d{1,6}){0,3}(?:\+|%|\/\d{1,4}|ms|s|min|h|d|days?|[kKMGT]i?B|B|px|em|rem|bits?|x|st|nd|rd|th|chars?)?$/;
/** Characters: short words stand in forms and in code. */
const shortest = { letters: 6, others: 4 };
/** Lines of dashes, bullets and stars have fewer. */
const fewestDifferent = { plain: 3, signs: 6 };

/** @param value without blanks, quotes and what stands around it */
export function isAssigned(value: string): boolean {
  const bare = value.replace(/[.,;:!?)]{1,3}$/, '');
  if (value.length < (/^\p{L}*$/u.test(bare) ? shortest.letters : shortest.others)) return false;
  const fewest = /[\p{L}\d]/u.test(value) ? fewestDifferent.plain : fewestDifferent.signs;
  if (new Set(value).size < fewest) return false;
  if (elided.test(value) || unspaced.test(value)) return false;
  return [value, bare].every(
    (each) =>
      !arePlainWords(each) &&
      !isReference(each) &&
      !isTellingName(each) &&
      !isMethod(each) &&
      !isItself(each) &&
      !isCounted(each) &&
      !standsIn.test(each) &&
      !measure.test(each),
  );
}
