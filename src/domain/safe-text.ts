import { marker } from '../base/text/marker.ts';

/** Longest part of a foreign text shown at its head, and at its tail, characters. */
const shownHead = 800;
const shownTail = 400;

/** Control, format (zero-width, bidi, tags) and ignorable characters; not U+FE0F, which stands in many emoji. */
const invisible = /[[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029]--[\t\n\ufe0f]]+/gv;

/** What cannot be seen made visible as `⟦U+202E⟧`: what is shown is what is there. */
export const visible = (text: string): string => text.replace(invisible, marker());

/** Head and tail of a long text with the number of characters left out between them. */
export function excerpt(text: string): { text: string; hidden: number } {
  const hidden = text.length - shownHead - shownTail;
  if (hidden <= 0) return { text, hidden: 0 };
  const head = text.slice(0, shownHead).toWellFormed();
  const tail = text.slice(-shownTail).toWellFormed();
  return { text: `${head}\n[… ${hidden} characters not shown …]\n${tail}`, hidden };
}
