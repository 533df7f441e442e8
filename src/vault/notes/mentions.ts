// Tags and links in the text of a note. Not in code, where `#` and `[[` mean something else.
import { kinds } from './line-kinds.ts';

/** `#tag/sub`, at the beginning of a line or behind a blank. A number alone is none. */
const tag = /(?<![^\s])#([\p{L}\p{M}\p{N}_/-]{1,101})/gu;
/** `[[Note#Heading|alias]]`; in a table the sign before the alias is escaped. */
const link = /\[\[([^[\]|#\n]{1,301})(?:#[^[\]|\n]{0,300})?(?:\|[^[\]\n]{0,300})?\]\]/g;
const span = /`[^`]*`/g;

/** Texts of lines that are prose, code in them left out. */
function* prose(lines: readonly string[], all: Uint8Array, sign: string): Generator<[string, number]> {
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const kind = all[at] ?? kinds.blank;
    if ((kind === kinds.text || kind === kinds.heading) && line.includes(sign))
      yield [line.replace(span, ' ` '), kind];
  }
}

/** In their order, one as often as it is there. A heading has none. */
export function* tagsOf(lines: readonly string[], all: Uint8Array): Generator<string> {
  for (const [line, kind] of prose(lines, all, '#'))
    if (kind !== kinds.heading)
      for (const [, name = ''] of line.matchAll(tag)) if (!/^\d+$/.test(name)) yield name;
}

/** What they lead to, in their order, one as often as it is there; of embedded notes and pictures, too. */
export function* linksOf(lines: readonly string[], all: Uint8Array): Generator<string> {
  for (const [line] of prose(lines, all, '[['))
    for (const [, target = ''] of line.matchAll(link)) yield target.replace(/\\$/, '').trim();
}
