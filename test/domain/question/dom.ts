// What a browser makes of HTML, as far as it matters whether a text is seen: the elements that are open around it.

const rawText = new Set(
  'script style xmp iframe noembed noframes noscript textarea title plaintext'.split(' '),
);
const empty = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));

export interface Open {
  name: string;
  attributes: string;
}

/** @returns the elements in which `text` stands where it is found last; undefined where it is no text, as in an attribute */
export function around(html: string, text: string): Open[] | undefined {
  const open: Open[] = [];
  let found: Open[] | undefined;
  let at = 0;
  while (at < html.length) {
    const raw = open.at(-1);
    if (raw && rawText.has(raw.name)) {
      const end = html.slice(at).search(new RegExp(`</${raw.name}[\\s/>]`, 'i'));
      const until = end < 0 || raw.name === 'plaintext' ? html.length : at + end;
      if (html.slice(at, until).includes(text)) found = [...open];
      if (until === html.length) return found;
      at = until;
    } else {
      const next = html.slice(at).search(/<[a-z/!?]/i);
      const until = next < 0 ? html.length : at + next;
      if (html.slice(at, until).includes(text)) found = [...open];
      if (until === html.length) return found;
      at = until;
    }
    at = markup(html, at, open);
  }
  return found;
}

/** Reads one tag or comment. @returns where it ends */
function markup(html: string, at: number, open: Open[]): number {
  const rest = html.slice(at);
  const comment = /^<!--(?:>|->|[\s\S]*?(?:--!?>|$))/.exec(rest);
  if (comment) return at + comment[0].length;
  const bogus = /^<(?:[!?]|\/[^a-z])[^>]*>?/i.exec(rest);
  if (bogus) return at + bogus[0].length;
  const [all = '', slash, name = '', attributes = ''] =
    /^<(\/?)([a-z][^\s/>]*)((?:[\s/]+[^\s/>=]?[^\s/>=]*(?:\s*=\s*(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^\s>"'][^\s>]*))?)*[\s/]*)(?:>|$)/i.exec(
      rest,
    ) ?? [];
  if (all === '') return at + 1;
  const lower = name.toLowerCase();
  if (slash === '') {
    if (!empty.has(lower)) open.push({ name: lower, attributes });
  } else {
    const last = open.findLastIndex((each) => each.name === lower);
    if (last >= 0) open.splice(last);
  }
  return at + all.length;
}
