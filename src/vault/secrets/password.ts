// Whether what stands behind `password:` is one. People choose words, so that it need not look random, only unlike a
// type, a name, a reference or a sentence.
import { isPlaceholder } from './placeholder.ts';

/** Names of methods and types that have a number in them. */
const methods =
  /^(?:sha-?\d+|md5|base(?:16|32|58|64)(?:url)?|utf-?(?:8|16)|oauth-?2?(?:\.0)?|argon2\w*|bcrypt\d*|pbkdf2|hs256|rs256|es256|ed25519|aes-?\d+\S*|x\.?509|http2?|v\d[\d.]*|u?int\d+|ipv[46]|mp[34]|[a-z]?\d{1,3}%)$/i;
/** `config.password`, `env.DB_PASS_1`, `process.env['X']`, `get("x")`, `@file`, `!secret x`, `file:/x`, `~/x`, `--flag`. */
const reference =
  /^[A-Za-z_$]+\d{0,2}(?:\??\.[A-Za-z_$]+\d{0,2})+$|^[\w.$]*[([]|^[@!]|^[a-z][a-z0-9+.-]{0,20}:\/|^(?:~|\.{1,2})?\/|^--|^env:|^[A-Z][A-Z0-9]*_[A-Z0-9_]*$/;
/** `password123` and `mypassword1` keep nothing. */
const itself = /^(?:my|your|the|new|old|test|secret|pass(?:word|wort|wd)?|kennwort|[-_\d])+$/i;
/** `3,897ms`, `12.5MB`, `8+`. */
const measure = /^\d[\d.,]*[\p{L}%+]{0,3}$/u;
/** What manuals count to: these keep nothing either. */
const counted = /^0?1234(?:56?|5678?|567890?)?$|^(\d)\1+$|^(?:4321|654321)$/;
/** Dashes and dots join words; these do not. */
const symbol = /[!@#$%^&*+=?~§€^°]/;

/** @param value one word: what ends a sentence or quotation is not part of it */
export function isPassword(value: string): boolean {
  if (value.length < 4 || isPlaceholder(value)) return false;
  if (/^\d+$/.test(value)) return !counted.test(value);
  if (methods.test(value) || reference.test(value) || itself.test(value)) return false;
  if (measure.test(value)) return false;
  const [letters, others] = [/\p{L}/u.test(value), /\d/.test(value) || symbol.test(value)];
  return letters && others && value.length >= 6;
}
