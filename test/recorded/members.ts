/** Reads object literals in minified JavaScript without a parser: 68 MB of it take too long to parse. */

/** The members of the object that opens at `open`, as key → source of the value. Spreads and methods are left out. */
export function membersOf(source: string, open: number): Map<string, string> {
  const members = new Map<string, string>();
  const key = /\s*(?:"([^"\\]+)"|([\w$]+))\s*:/y;
  let at = open + 1;
  while (at < source.length && source[at] !== '}') {
    key.lastIndex = at;
    const found = key.exec(source);
    const from = found ? key.lastIndex : at;
    const end = valueEnd(source, from);
    if (found) members.set(found[1] ?? found[2] ?? '', source.slice(from, end));
    at = source[end] === ',' ? end + 1 : end;
  }
  return members;
}

/** Where the expression that begins at `from` ends: at a comma, or at a bracket that it did not open. */
export function valueEnd(source: string, from: number): number {
  let depth = 0;
  for (let at = from; at < source.length; at += 1) {
    const sign = source[at] as string;
    if ('([{'.includes(sign)) depth += 1;
    else if (')]}'.includes(sign)) depth -= 1;
    else if (`"'\``.includes(sign)) at = textEnd(source, at);
    else if (sign === '/' && beginsPattern(source, at)) at = patternEnd(source, at);
    if (depth < 0 || (depth === 0 && sign === ',')) return at;
  }
  return source.length;
}

/** The opening brace around `at`, which lies in no text. */
export function openBefore(source: string, at: number): number {
  let depth = 0;
  for (let open = at - 1; open >= 0; open -= 1) {
    if (source[open] === '}') depth += 1;
    else if (source[open] === '{') depth -= 1;
    if (depth < 0) return open;
  }
  return -1;
}

/** @returns index of the closing quote */
function textEnd(source: string, open: number): number {
  const quote = source[open];
  for (let at = open + 1; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1;
    else if (source[at] === quote) return at;
    else if (quote === '`' && source.startsWith('${', at)) at = valuesEnd(source, at + 2);
  }
  return source.length;
}

/** @returns index of the bracket behind all expressions from `from` on */
function valuesEnd(source: string, from: number): number {
  const end = valueEnd(source, from);
  return source[end] === ',' ? valuesEnd(source, end + 1) : end;
}

/** A slash is the beginning of a pattern, not a division, where no value can have ended. */
const beginsPattern = (source: string, at: number): boolean => '(,=:[!&|?{;'.includes(source[at - 1] ?? '(');

function patternEnd(source: string, open: number): number {
  let inClass = false;
  for (let at = open + 1; at < source.length; at += 1) {
    const sign = source[at];
    if (sign === '\\') at += 1;
    else if (sign === '[') inClass = true;
    else if (sign === ']') inClass = false;
    else if (sign === '/' && !inClass) return at;
  }
  return source.length;
}
