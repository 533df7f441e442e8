// Private keys of wallets that have a check sum of their own: Bitcoin's, alone or of a whole tree.
import { createHash } from 'node:crypto';
import type { Place } from './secret.ts';

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const wif = /(?<![A-Za-z0-9])[5KLc9][1-9A-HJ-NP-Za-km-z]{50,51}(?![A-Za-z0-9])/g;
const tree = /(?<![A-Za-z0-9])[xyztuv]prv[1-9A-HJ-NP-Za-km-z]{107,108}(?![A-Za-z0-9])/g;
/** In front of a key of the main net and of the test net. */
const versions = new Set([0x80, 0xef]);

export function* wallets(text: string): Generator<Place> {
  for (const { index, 0: key } of text.matchAll(wif)) {
    const bytes = checked(key);
    if (bytes && versions.has(bytes[0] ?? 0))
      yield { start: index, end: index + key.length, kind: 'Bitcoin key' };
  }
  for (const { index, 0: key } of text.matchAll(tree))
    if (checked(key)) yield { start: index, end: index + key.length, kind: 'wallet key' };
}

/** The bytes of base58 without their check sum, or undefined where that does not fit. */
function checked(text: string): Buffer | undefined {
  let value = 0n;
  for (const each of text) value = value * 58n + BigInt(alphabet.indexOf(each));
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  const [payload, sum] = [bytes.subarray(0, -4), bytes.subarray(-4)];
  const twice = sha256(sha256(payload)).subarray(0, 4);
  return twice.equals(sum) ? payload : undefined;
}

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();
