/** Longest part of a foreign text shown at its head, and at its tail, characters. */
const shownHead = 800;
const shownTail = 400;

/** Control, format (zero-width, bidi, tags) and ignorable characters; not U+FE0F, which stands in many emoji. */
const invisible = /[[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]--[\t\n\ufe0f]]+/gv;

/** What cannot be seen made visible as {@link marks}: what is shown is what is there. */
export const visible = (text: string): string => text.replace(invisible, marks);

/** Every character as `⟦U+202E⟧`, several of the same as one `⟦U+0020×200⟧`. */
export function marks(found: string): string {
  let all = '';
  let from = 0;
  while (from < found.length) {
    const code = found.codePointAt(from) ?? 0;
    const size = code > 0xffff ? 2 : 1;
    let end = from + size;
    while (found.codePointAt(end) === code) end += size;
    all += mark(code, (end - from) / size);
    from = end;
  }
  return all;
}

function mark(code: number, count: number): string {
  const hex = code.toString(16).toUpperCase().padStart(4, '0');
  return count === 1 ? `⟦U+${hex}⟧` : `⟦U+${hex}×${count}⟧`;
}

/** Head and tail of a long text with the number of characters left out between them. */
export function excerpt(text: string): { text: string; hidden: number } {
  const hidden = text.length - shownHead - shownTail;
  if (hidden <= 0) return { text, hidden: 0 };
  const head = text.slice(0, shownHead).toWellFormed();
  const tail = text.slice(-shownTail).toWellFormed();
  return { text: `${head}\n[… ${hidden} characters not shown …]\n${tail}`, hidden };
}
