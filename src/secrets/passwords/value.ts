// The value that stands alone behind a name: up to the end of its line, of its cell or of its quotation.

export interface Value {
  /** Where it begins in the rest that was looked at. */
  readonly start: number;
  readonly value: string;
  readonly quoted: boolean;
}

const closers: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '„': '“',
  '‘': '’',
  '‚': '‘',
  '«': '»',
};
/** What may follow a quotation, also the end of the code that it stands in. */
const closes = /^(?:[\s,;.:|)\]}*_<?]|`(?:[\s,;.:)|]|$)|$)/;
/** What may follow a value that was not the whole of its line. */
const behind = /^[ \t]{0,20}(?:$|\r|\||[ \t](?:#|\/\/|--|\(|<!--|←|\^))/;

const mostBlanks = 40;

/**
 * Reads a value from the beginning of a rest of a line.
 *
 * @param rest of a line, without its end
 * @param isWhole whether the line ends where `rest` does
 */
export function valueAt(rest: string, isWhole: boolean): Value | undefined {
  const start = rest.slice(0, mostBlanks).search(/[^ \t]|$/);
  const closer = closers[rest.charAt(start)];
  if (closer !== undefined) {
    const end = rest.indexOf(closer, start + 1);
    // A quotation that goes on to the end of a word, and no sign of a password that begins with one.
    const value = rest.slice(start + 1, end);
    if (end > start + 1 && closes.test(rest.slice(end + 1, end + 3)))
      return /\s/.test(value) ? undefined : { start: start + 1, value, quoted: true };
  }
  const value = /^\S{1,200}/.exec(rest.slice(start))?.[0] ?? '';
  const after = rest.slice(start + value.length);
  if (value === '' || (after === '' && !isWhole) || !behind.test(after)) return undefined;
  return { start, value, quoted: false };
}
