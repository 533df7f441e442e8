// Tells keys that a machine made from names that people made.

/** Bits per character, at least: English in kebab case with a number at its end has less, hexadecimal digits more. */
const least = 3;
/** A part between dashes or dots that a machine made is not only letters. */
const digits = 3;

/** Whether a value, of letters, digits and `_-+/=.~`, looks like made by chance. */
export function isRandom(value: string): boolean {
  const counted = value.match(/\d/g)?.length ?? 0;
  if (counted < digits || !/[A-Za-z]/.test(value)) return false;
  return entropy(value) >= least && !isWords(value);
}

/** `my-agent-2024-01-15`, `gpt4_turbo_2024`, `src/lib/x509.ts`: each part is a word, a number, or a word with a number at its end. */
const isWords = (value: string): boolean =>
  value.split(/[-_./=+~]/).every((part) => /^(?:[A-Z]?[a-z]{0,20}|[A-Z]{0,20})\d{0,8}$/.test(part));

/** Shannon's, in bits per character. */
function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const each of value) counts.set(each, (counts.get(each) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
