// Programs that are given a script, as far as it is known to run nothing.
import { mannerOf } from './manner.ts';
import { type Given, readOptions } from './options.ts';
import { harmless, type Reach } from './reach.ts';
import { isPlainAwk, sedScript } from './scripts.ts';

const sedOptions = mannerOf({
  short: 'nErsuzl:e:',
  long: 'expression= quiet silent regexp-extended separate unbuffered null-data debug posix',
});

export function sedReach(words: readonly Given[]): Reach | undefined {
  const isInPlace = ({ text }: Given) => /^(?:-[nErsuz]*i[^e]*|--in-place(?:=.*)?)$/.test(text ?? '');
  const inPlace = words.some(isInPlace);
  // Its place stays, as that of every other word does.
  const plain = words.map((word) => (isInPlace(word) ? { ...word, text: '-n' } : word));
  const read = readOptions(sedOptions, plain, 1);
  if (!read) return undefined;
  const told = read.options.filter(({ name }) => name === '-e' || name === '--expression');
  // BSD's `-i` takes the next word, which may be empty: then the script is the one behind it.
  const places =
    told.length > 0 ? [] : read.rest.slice(0, inPlace && words[read.rest[0] ?? 0]?.text === '' ? 2 : 1);
  const scripts = [...told.map(({ value }) => value), ...places.map((at) => words[at]?.text)];
  const found = scripts.map((script) => (script === undefined ? undefined : sedScript(script)));
  if (found.length === 0 || found.includes(undefined)) return undefined;
  const texts = new Set([...places, ...told.flatMap(({ valueAt }) => valueAt ?? [])]);
  return { ...harmless, texts, removes: inPlace && found.includes('takes') };
}

const awkOptions = mannerOf({ short: 'F:v:' });

export function awkReach(words: readonly Given[]): Reach | undefined {
  const read = readOptions({ ...awkOptions, any: false }, words, 1);
  const [at = -1] = read?.rest ?? [];
  const program = words[at]?.text;
  if (program === undefined || !isPlainAwk(program)) return undefined;
  return { ...harmless, texts: new Set([at]) };
}

/** `node -p "require('./package.json').version"`: what is read there is no code, and calls none. */
export function nodeReach([, option, expression]: readonly Given[]): Reach | undefined {
  const pattern = option?.text === '-p' ? valueAlone : option?.text === '-e' ? valueLogged : undefined;
  const found = pattern?.exec(expression?.text ?? '');
  if (!found) return undefined;
  return { ...harmless, texts: new Set([2]), files: found[2] === undefined ? [] : [found[2]] };
}

const value = String.raw`(?:process|require\((['"])(\./(?:[\w-]+[./])+json)\1\))(?:\??\.[A-Za-z_]\w*)*`;
const valueAlone = new RegExp(`^${value}$`);
const valueLogged = new RegExp(`^console\\.log\\(${value}\\);?$`);

/** Of a query, what it calls is known; and of its own commands, those that tell what tables there are. */
const queryBegins = /^(?:select|explain|pragma\s{1,8}table_info)\b/i;
const tablesCommand = /^\.(?:tables|schema|indexes)(?:\s{1,8}\w+)?$/i;
const plainFunctions =
  /^(?:count|sum|min|max|avg|total|length|lower|upper|trim|date|time|datetime|strftime|julianday|coalesce|ifnull|round|abs|group_concat|substr|in|values|and|or|not|on|as|where|from|exists|table_info|json_extract|over|distinct|cast|printf|typeof)$/i;

export function sqliteReach(words: readonly Given[]): Reach | undefined {
  const read = readOptions(sqliteOptions, words, 1);
  const [, query = -1, ...more] = read?.rest ?? [];
  const text = words[query]?.text;
  if (text === undefined || more.length > 0 || !isPlainQuery(text.trim())) return undefined;
  return { ...harmless, texts: new Set([query]) };
}

function isPlainQuery(text: string): boolean {
  if (tablesCommand.test(text)) return true;
  if (!queryBegins.test(text) || text.slice(0, -1).includes(';') || hidden.test(text)) return false;
  const before = text.split('(').slice(0, -1);
  return before.every((part) => callsPlainly(part.trimEnd()));
}

/** A comment may stand between what is called and its bracket; these tables are files, also without one. */
const hidden = /--|\/\*|fsdir|zipfile/i;

/** Whether a bracket behind it calls one of those functions, or none. */
const callsPlainly = (before: string): boolean =>
  before === '' ||
  /[,=<>+*/|&%~-]$/.test(before) ||
  plainFunctions.test(before.replace(/^.*[^\w$\u0080-\uffff]/s, ''));

const sqliteOptions = mannerOf({
  long: 'readonly json header noheader column csv line list table markdown box batch',
  oneDash: true,
});
