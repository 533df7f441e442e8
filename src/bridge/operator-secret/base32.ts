/** RFC 4648: what apps for codes are given their key in. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Returns it without padding. */
export function toBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

/** Reads it in capitals or not, with blanks and padding or without. @returns undefined when it is none */
export function fromBase32(text: string): Buffer | undefined {
  const letters = text.toUpperCase().replace(/[\s=]/g, '');
  const values = Array.from(letters, (letter) => alphabet.indexOf(letter));
  if (values.length === 0 || values.includes(-1)) return undefined;
  const bits = values.map((value) => value.toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
