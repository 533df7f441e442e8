// HTML elements that an answer may leave open, and that would hide or swallow what stands behind it: a browser, as GitHub,
// keeps `<details>` folded and `<div hidden>` out of sight until their end, through every block of Markdown.

/** What hides its content, shows it elsewhere, or takes it for no text at all. Of the others, what has attributes may. */
const hiding = new Set(
  (
    'applet audio button canvas caption col colgroup datalist details dialog embed fieldset frameset head iframe map ' +
    'marquee math menu meter noembed noframes noscript object optgroup option picture plaintext pre progress rp script ' +
    'select slot style summary svg table tbody td template textarea tfoot th thead title tr video xmp'
  ).split(' '),
);
/** They have no end, or end with the next paragraph. */
const endless = new Set('area base br hr img input link meta p param source track wbr'.split(' '));

const tag = /<([a-z][a-z0-9-]*)(>|(?=[\s/]|$))/gi;

/** What no tag is, and takes text for its own until its end. */
const declaration = /<[!?]/;

/**
 * End an attribute that a quotation mark was left open in, the tag that it stands in, a comment, and CDATA. Where none is
 * open they end nothing. As ends of an element they are handed on as they are; by itself `-->` would be drawn as text.
 */
const endsOfMarkup = ['</div "\'-->', '</div ]]>'];

/** @returns names of such elements, in the order in which the text begins them; it may end some of them, too */
export function hidingTags(text: string): string[] {
  const names: string[] = [];
  for (const [, name = '', end] of text.matchAll(tag)) {
    const lower = name.toLowerCase();
    if (!endless.has(lower) && (end !== '>' || hiding.has(lower))) names.push(lower);
  }
  return names;
}

/**
 * What ends all of them, each on a line that Markdown hands on as it is. Whether an end in the text is one, or a piece of
 * code, takes a whole parser to tell: so everything is ended that was begun, which a browser ignores where it is over.
 */
export function endingTags(text: string): string[] {
  const names = hidingTags(text);
  if (names.length === 0 && !declaration.test(text)) return [];
  // The first line decides that what follows is HTML, up to the next blank one.
  return [[...endsOfMarkup, ...names.reverse().map((name) => `</${name}>`)].join('\n')];
}
