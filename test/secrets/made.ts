// Passwords by chance, the same each time: none stands in the sources.
import { randomFill } from './noise.ts';

const lower = 'abcdefghijklmnopqrstuvwxyz';
const upper = lower.toUpperCase();
const digits = '0123456789';
/** No blanks and no quotes: what stands around a value in the forms below would end there. */
const symbols = '!#$%&()*+,-./:;<=>?@[]^_{}~|';
const words =
  `apple sunshine dragon monkey winter summer orange coffee guitar purple tiger rocket forest silver banana castle
diamond thunder shadow flower kitchen rainbow soccer pepper ginger cookie mustang hunter pirate wizard Sommer Katze
Drache Kaffee Fenster Garten Himmel Tulpe`.split(/\s+/);

/** By their class, a maker of one more password of 8 to 16 characters. */
export const classes: Readonly<Record<string, (random: () => number) => string>> = {
  'lower case': (random) => drawn(random, lower),
  'lower and upper case': (random) => drawn(random, lower + upper),
  'letters and digits': (random) => drawn(random, lower + upper + digits),
  'with symbols': (random) => drawn(random, lower + upper + digits + symbols),
  'a word and digits': (random) => {
    const word = words[Math.floor(random() * words.length)] ?? '';
    let all = word;
    while (all.length < 8 || all === word) all += digits.charAt(Math.floor(random() * 10));
    return all;
  },
};

/** As many as wanted of one class. */
export function passwords(name: string, count: number): string[] {
  const random = randomFill(name);
  return Array.from({ length: count }, () => classes[name]?.(random) ?? '');
}

function drawn(random: () => number, alphabet: string): string {
  const length = 8 + Math.floor(random() * 9);
  return Array.from({ length }, () => alphabet.charAt(Math.floor(random() * alphabet.length))).join('');
}
