// The words of a command as its program reads them: options, values of options, and the rest.

/** The options of a program that are known, and known to run nothing. */
export interface Options {
  /** As getopt(3) spells them: `ab:c::` is `-a`, `-b` with a value, and `-c`, which may have one in the same word. */
  short: string;
  /** Without the dashes: `name`, or `name=` with a value; both where it may have one, behind a `=`. */
  long: ReadonlySet<string>;
  /** It has no option that could run something: those that are not known are taken as well. */
  any: boolean;
  /** Long ones are written with one dash, too: `-run`. */
  oneDash: boolean;
}

export interface Option {
  /** `-m`, `--message`. */
  name: string;
  /** Place of the word that holds the value; undefined for an option without one. */
  valueAt?: number;
  /** Undefined, too, where only running it would tell. */
  value?: string | undefined;
}

export interface Arguments {
  options: readonly Option[];
  /** Places of the words that are no options and no values of any. */
  rest: readonly number[];
}

/** One word as it is given. */
export interface Given {
  /** Undefined where only running it would tell. */
  text: string | undefined;
  /** Of an unknown one: it may begin with `-`, or be several. */
  loose: boolean;
  /** The shell may make several words of it. */
  splits: boolean;
}

/** Where no word is. */
export const nothing: Given = { text: undefined, loose: true, splits: true };

/**
 * Reads the words from a place on.
 *
 * @param untilWord stop at the first word that is no option, which begins another command
 * @returns undefined where a word is, or may be, an option that is not known
 */
export function readOptions(
  { short, long, any, oneDash }: Options,
  words: readonly Given[],
  from: number,
  untilWord = false,
): Arguments | undefined {
  const options: Option[] = [];
  const rest: number[] = [];
  for (let at = from; at < words.length; at += 1) {
    const { text: word, loose } = words[at] ?? nothing;
    if (word === '--') {
      for (let left = at + 1; left < words.length; left += 1) rest.push(left);
      break;
    }
    if (word === undefined && loose && !any) return undefined;
    if (word === undefined || !isOption(word)) {
      if (untilWord) return { options, rest: places(at, words.length) };
      rest.push(at);
      continue;
    }
    const read =
      oneDash || word.startsWith('--') ? longOption(word, long, any) : shortOptions(word, short, any);
    if (!read) return undefined;
    for (const { name, value, wants } of read) {
      if (!wants) options.push({ name });
      else if (value !== undefined) options.push({ name, value, valueAt: at });
      else {
        at += 1;
        const behind = words[at];
        // What looks like an option may be one: not every program takes it for the value.
        if (!any && (behind === undefined || behind.splits || isOption(String(behind.text))))
          return undefined;
        options.push({ name, value: words[at]?.text, valueAt: at });
      }
    }
  }
  return { options, rest };
}

const isOption = (word: string): boolean => /^-./.test(word);

const places = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, at) => from + at);

interface Read {
  name: string;
  wants: boolean;
  value?: string;
}

function longOption(word: string, long: ReadonlySet<string>, any: boolean): Read[] | undefined {
  const [name = '', ...values] = word.slice(word.startsWith('--') ? 2 : 1).split('=');
  if (long.has(`${name}=`) && (values.length > 0 || !long.has(name)))
    return [{ name: `--${name}`, wants: true, ...(values.length > 0 && { value: values.join('=') }) }];
  return any || long.has(name) ? [{ name: `--${name}`, wants: false }] : undefined;
}

/** `-abvalue`: letters, until one of them takes the rest of the word, or the next one, for its value. */
function shortOptions(word: string, short: string, any: boolean): Read[] | undefined {
  if (/^-\d+$/.test(word)) return any || short.includes('0') ? [{ name: '-0', wants: false }] : undefined;
  const found: Read[] = [];
  for (let at = 1; at < word.length; at += 1) {
    const letter = word.charAt(at);
    const known = letter === ':' ? -1 : short.indexOf(letter);
    if (known < 0 && !any) return undefined;
    if (known >= 0 && short[known + 1] === ':') {
      const value = word.slice(at + 1);
      if (short[known + 2] === ':') return [...found, { name: `-${letter}`, wants: false }];
      found.push({ name: `-${letter}`, wants: true, ...(value !== '' && { value }) });
      return found;
    }
    found.push({ name: `-${letter}`, wants: false });
  }
  return found;
}
