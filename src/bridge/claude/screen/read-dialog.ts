// Pure: the rows of a screen → the dialog that stands on it, what it says and what can be chosen in it. Taught by what
// Claude Code 2.1.332 draws. In doubt nothing can be chosen: a dialog that is read wrongly must not be answered.
import { hashId } from '../../../base/digest.ts';
import { isRule } from './screen-reader.ts';

export interface DrawnOption {
  /** One line. */
  label: string;
  /** Takes it where no marker is drawn; else it takes the marker, and Enter. */
  key?: string;
}

export interface DrawnDialog {
  /** Names what it says and offers, wherever the marker stands. */
  id: string;
  /** All of it but what can be chosen and which keys there are. */
  words: string;
  /** Empty where none can be chosen by its number: a form, or one that is not understood. */
  options: readonly DrawnOption[];
  /** Where the marker stands among the options, from 0. */
  at?: number;
}

const marker = /❯/g;
const markers = (row: string): number => row.match(marker)?.length ?? 0;
/** The row below a dialog that names its keys. */
const hint = /\b(?:Enter|Esc|Return) to \S|^\s*Press Enter\b/i;
/** What waits for a letter. */
const letter = /\(y\/n\)/i;
/** Keys of a form: what it holds is set otherwise than by taking an option. */
const formKeys = /\b(?:Backspace|Space|Type|→|←) ?(?:to |or )|\bto (?:toggle|expand|type|unset)\b/i;
/** Panels of Claude Code's own commands have another rule above them than dialogs. */
const isTop = (row: string): boolean => isRule(row) || /^▔{10}/.test(row);
/** Rows that frame what would run. */
const dashes = /^\s*╌{10,}\s*$/;

/**
 * Whatever stands there, as a dialog. What is not understood has all words below the last rule, and can only be left: above
 * that rule Claude Code may count the seconds.
 */
export function readShown(rows: readonly string[]): DrawnDialog {
  return readDialog(rows) ?? drawn(lowestOf(rows.map((row) => row.replaceAll('\u00a0', ' ').trimEnd())), []);
}

function lowestOf(rows: readonly string[]): string[] {
  const filled = rows.filter((row) => row !== '');
  const top = filled.slice(0, -1).findLastIndex(isTop);
  return filled.slice(top + 1);
}

/** @returns undefined where none is drawn, or not all of it */
export function readDialog(rows: readonly string[]): DrawnDialog | undefined {
  const region = regionOf(rows.map((row) => row.replaceAll('\u00a0', ' ').trimEnd()));
  if (!region) return undefined;
  // The last row alone: above it may be Claude's words.
  const last = region.findLastIndex((row) => row !== '');
  const isHinted = hint.test(region[last] ?? '');
  const keys = isHinted ? (region[last] ?? '') : '';
  const rest = region.slice(0, isHinted ? last : undefined);
  const menu = formKeys.test(keys) ? undefined : menuOf(rest);
  if (menu) return drawn(rest.slice(0, menu.from).concat(rest.slice(menu.to)), menu.options, menu.at);
  const isMarked = rest.some((row) => markers(row) > 0);
  return drawn(rest, isMarked || formKeys.test(keys) ? [] : keyOptions(keys));
}

/** Between the last rule above what can be chosen and the next one. Without a rule above, its beginning is out of sight. */
function regionOf(rows: readonly string[]): string[] | undefined {
  const last = rows.findLastIndex((row) => hint.test(row) || letter.test(row) || markers(row) > 0);
  const top = rows.slice(0, last + 1).findLastIndex(isTop);
  if (last === -1 || top === -1) return undefined;
  const below = rows.slice(last + 1).findIndex(isRule);
  return rows.slice(top + 1, below === -1 ? rows.length : last + 1 + below);
}

interface Menu {
  options: DrawnOption[];
  at: number;
  /** Its rows. */
  from: number;
  to: number;
}

/** The one marker is the menu's: with two of them, one of which may be text that Claude wrote, there is none. */
function menuOf(rows: readonly string[]): Menu | undefined {
  const marked = rows.findIndex((row) => markers(row) > 0);
  if (rows.reduce((count, row) => count + markers(row), 0) !== 1) return undefined;
  const row = rows[marked] ?? '';
  const [, before = '', blank = ''] = /^([^❯]*)❯(\s*)/.exec(row) ?? [];
  const beside = besideEachOther(row, rows, marked);
  // In a form the marker stands apart from what it points at.
  if (beside || before.trim() !== '' || blank.length !== 1) return beside;
  return belowEachOther(rows, marked, before.length + 2);
}

/** `❯ Accept    Decline`, in one row, with nothing above and below that could be more of it. */
function besideEachOther(row: string, rows: readonly string[], marked: number): Menu | undefined {
  const isAlone = [rows[marked - 1], rows[marked + 1]].every((other = '') => other.trim() === '');
  const parts = [...row.matchAll(/(❯ )?([^\s❯]+(?: [^\s❯]+)*)/g)];
  const at = parts.findIndex(([, mark]) => mark !== undefined);
  if (!isAlone || at === -1 || parts.length === 1) return undefined;
  const options = parts.map(([, , label = '']) => ({ label }));
  return { options, at, from: marked, to: marked + 1 };
}

/** @param column where labels begin; what begins further to the right belongs to the one above */
function belowEachOther(rows: readonly string[], marked: number, column: number): Menu | undefined {
  const begin = (row: string) => row.replace('❯', ' ').search(/\S/);
  let from = marked;
  while (from > 0 && begin(rows[from - 1] ?? '') >= column) from -= 1;
  let to = marked + 1;
  while (to < rows.length && begin(rows[to] ?? '') >= column) to += 1;
  // What hangs above the first label is none of it.
  while (from < marked && begin(rows[from] ?? '') > column) from += 1;
  const options: DrawnOption[] = [];
  let at = -1;
  for (let index = from; index < to; index += 1) {
    const text = (rows[index] ?? '').replace('❯', ' ');
    if (begin(text) === column) options.push({ label: '' });
    if (index === marked) at = options.length - 1;
    const option = options.at(-1);
    if (option) option.label = `${option.label} ${text.trim()}`.trim();
  }
  return at === -1 ? undefined : { options: options.map(withoutNumber), at, from, to };
}

/** The number that is drawn is left out where it is the one that we give. */
function withoutNumber({ label }: DrawnOption, at: number): DrawnOption {
  const number = `${at + 1}. `;
  return { label: label.startsWith(number) ? label.slice(number.length) : label };
}

const optionKeys: Readonly<Record<string, string>> = { enter: '\r', return: '\r', 'shift+tab': '\x1b[Z' };

/** `Enter to stay · shift+Tab to leave · Esc to cancel`: what its keys do. Esc is a no. */
function keyOptions(row: string): DrawnOption[] {
  return row.split('·').flatMap((part) => {
    const [, name = '', does = ''] = /^\s*(?:Press )?(\S+) to (\S.*)$/i.exec(part) ?? [];
    const key = optionKeys[name.toLowerCase()];
    return key === undefined ? [] : [{ label: does.trim(), key }];
  });
}

function drawn(rows: readonly string[], options: readonly DrawnOption[], at?: number): DrawnDialog {
  const words = wordsOf(rows);
  const id = hashId(JSON.stringify([words, options.map(({ label }) => label)]));
  return { id, words, options, ...(at !== undefined && { at }) };
}

/** Without the blanks in front that all rows have, and without markers. */
function wordsOf(rows: readonly string[]): string {
  const own = rows.map((row) => (dashes.test(row) ? '' : row.replaceAll('❯', ' ').trimEnd()));
  const indent = Math.min(...own.filter((row) => row !== '').map((row) => row.search(/\S/)));
  return own
    .map((row) => row.slice(indent))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
