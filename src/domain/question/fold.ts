/**
 * Full-width letters, digits, marks and blanks, as East Asian keyboards write them, as those of ASCII: `ｙｅｓ　１` reads as
 * `yes 1`. NFKC does the same to them, and more to other characters, of which some only look like a letter. A position
 * means the same in both texts.
 */
export const fold = (text: string): string =>
  text.replace(/[\uff01-\uff5e\u3000]/g, (character) => character.normalize('NFKC'));
