// Signs whose width is known without asking. The package that knows every sign takes tens of milliseconds to load and to
// get going, which `ps` does not have; and measuring with it is slow.

/** One cell each: what we draw ourselves, Latin, Greek and Cyrillic letters. */
const narrow =
  '\\x20-\\x7e\\u00a1-\\u00ac\\u00af-\\u02ff\\u0391-\\u03a1\\u03a3-\\u03ff\\u0400-\\u0482\\u048a-\\u04ff─│┊┬┴█░▸▾●◆▲◇○■✓✗·…❯▍←→↑↓–—‘’“”⟦⟧';
/** Two cells each: Chinese, Japanese and Korean letters and their punctuation. */
const wide =
  '\\u3001-\\u3029\\u3041-\\u3096\\u30a1-\\u30fe\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7a3\\uff01-\\uff60';

const everyNarrow = new RegExp(`^[${narrow}]*$`);
const everySure = new RegExp(`^[${narrow}${wide}]*$`);
const eachWide = new RegExp(`[${wide}]`, 'g');

/** Every character is known to take one cell. */
export const isNarrow = (text: string): boolean => everyNarrow.test(text);

/**
 * Cells of a text in which every character is known, and is a grapheme of its own.
 * @returns undefined for any other
 */
export function sureWidth(text: string): number | undefined {
  if (isNarrow(text)) return text.length;
  return everySure.test(text) ? text.length + (text.match(eachWide)?.length ?? 0) : undefined;
}

/** Cells that a text takes at most: no UTF-16 unit takes more than two. For where one cell too many does not matter. */
export const mostCells = (text: string): number => sureWidth(text) ?? 2 * text.length;
