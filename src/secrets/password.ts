// Whether what stands behind `password:` is one. People choose words, so that it need not look random, only unlike a
// type, a name, a reference or a sentence.
import { isCounted } from './passwords/counted.ts';
import { isItself } from './passwords/itself.ts';
import { isMethod } from './passwords/method.ts';
import { arePlainWords } from './passwords/plain-words.ts';
import { isReference } from './passwords/reference.ts';
import { isPlaceholder } from './placeholder.ts';

/** `config.password`, `env.DB_PASS_1`, `process.env['X']`, `get("x")`, `@file`, `!secret x`, `file:/x`, `~/x`, `--flag`. */
const reference =
  /^[A-Za-z_$]+\d{0,2}(?:\??\.[A-Za-z_$]+\d{0,2})+$|^[\w.$]*[([]|^[@!]|^[a-z][a-z0-9+.-]{0,20}:\/|^(?:~|\.{1,2})?\/|^--|^env:|^[A-Z][A-Z0-9]*_[A-Z0-9_]*$/;
/** `3,897ms`, `12.5MB`, `8+`. */
const measure = /^\d[\d.,]*[\p{L}%+]{0,3}$/u;
/** Dashes and dots join words; these do not. */
const symbol = /[!@#$%^&*+=?~§€^°]/;

/** @param value one word: what ends a sentence or quotation is not part of it */
export function isPassword(value: string): boolean {
  if (value.length < 4 || isPlaceholder(value)) return false;
  if (/^\d+$/.test(value)) return !isCounted(value);
  if (isMethod(value) || reference.test(value) || isReference(value) || isItself(value)) return false;
  if (measure.test(value) || arePlainWords(value)) return false;
  const [letters, others] = [/\p{L}/u.test(value), /\d/.test(value) || symbol.test(value)];
  return letters && others && value.length >= 6;
}
