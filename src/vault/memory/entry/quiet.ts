// Markdown that would reach beyond its place, made text: a memory is an item of a list, and stays in it, whatever it says.
// The rest of Markdown keeps its meaning: lists, quotes, tables, links, emphasis.

/**
 * What hides or swallows the text behind it: Obsidian's comments and blocks of mathematics, comments of HTML. From the
 * first of several backslashes on only: each of them would look at all behind it.
 */
const swallowing = /(?<!\\)(\\*)(%{2,}|\${2,}|<(?=[!?]))/g;

/** At the end of a line, the id of a block. */
const blockId = /(^|\s)\^(?=[\p{L}\p{N}_-]+\s*$)/u;

/** A line that stands in other text: a heading, the first line of an item. */
export function quietInline(line: string): string {
  const quiet = line.replace(swallowing, (_, slashes: string, found: string) => {
    // Behind an odd number of backslashes the first sign is text already.
    const isText = slashes.length % 2 === 1;
    return slashes + found.replace(/./g, (sign, at: number) => (at === 0 && isText ? sign : `\\${sign}`));
  });
  return quiet.replace(blockId, '$1\\^');
}

/** Signs in front of what a line says: blanks, quotes, list items. */
const container = /^(?: |>|[-*+](?= )|\d{1,9}[.)](?= ))/;

/** A rule, or what makes a heading of the line above; the latter may be a single sign. */
const rule = /^(?:(?:- *)+|(?:\* *){3,}|(?:_ *){3,}|=+ *)$/;

/** A heading, a fence, HTML, the definition of a link or a footnote. */
const opening = /^(?:#{1,6}(?= |$)|`{3,}|~{3,}|<(?=[A-Za-z/])|\[(?=[^\]]*\]:))/;

/** A whole line. */
export function quietLine(line: string): string {
  let at = 0;
  for (;;) {
    const rest = line.slice(at);
    if (rule.test(rest)) return `${line.slice(0, at)}\\${rest}`;
    const found = container.exec(rest);
    if (!found) break;
    at += found[0].length;
  }
  const said = line.slice(at).replace(opening, (found) => found.replace(/[`~]|^./g, '\\$&'));
  return line.slice(0, at) + quietInline(said);
}
