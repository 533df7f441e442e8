// A name that somebody gave, as a message may show it: on one line, nothing unseen in it, and no longer than a line.
import { marker } from '../../base/text/marker.ts';

/** Longest part of a name shown, characters. */
const longest = 80;

/** Control, format (bidi, zero-width) and ignorable characters, ends of lines; not U+FE0F, which stands in many emoji. */
const unseen = /[[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]--[\ufe0f]]+/gv;

/** The name in quotation marks; what is longer than 80 characters ends with `…`. */
export function quoteName(name: string): string {
  const head = name.slice(0, longest).toWellFormed().replaceAll('"', "'").replace(unseen, marker());
  return `"${head}${name.length > longest ? '…' : ''}"`;
}
