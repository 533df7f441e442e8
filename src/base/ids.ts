import { randomBytes, randomInt } from 'node:crypto';

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';

/** A new id such as `t4k0q9zr1m2x8c3`: `prefix` and 14 random letters and digits (72 bits), nothing else.
 *  OpenClaw strips every character outside `[A-Za-z0-9]` from tool call ids. */
export function newId(prefix: string): string {
  let id = prefix;
  for (let i = 0; i < 14; i += 1) id += alphabet[randomInt(alphabet.length)];
  return id;
}

/** `length` random letters of `from`. */
export function randomLetters(from: string, length: number): string {
  return Array.from({ length }, () => from[randomInt(from.length)]).join('');
}

/** A secret of 32 random bytes, base64url. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}
