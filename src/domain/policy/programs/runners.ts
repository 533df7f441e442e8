// Programs that run the words behind them, and how many of those are their own.
import { type SimpleCommand, simpleCommands } from '../shell.ts';
import type { ShellWord } from '../shell-word.ts';
import { mannerOf, type Told } from './manner.ts';
import { type Given, type Options, readOptions } from './options.ts';
import { harmless, type Reach } from './reach.ts';

interface Runner {
  options: Options;
  /** Words before the program. */
  skips: number;
  /** `NAME=value` may stand before it. */
  assigns: boolean;
}

const runner = (told: Told, skips = 0, assigns = false): Runner => ({
  options: mannerOf(told),
  skips,
  assigns,
});

const runners: ReadonlyMap<string, Runner> = new Map([
  ['env', runner({ short: 'i0vu:C:', long: 'ignore-environment null unset= chdir=' }, 0, true)],
  ['command', runner({ short: 'p' })],
  ['builtin', runner({})],
  ['exec', runner({ short: 'cla:' })],
  ['nohup', runner({})],
  ['nocorrect', runner({})],
  ['noglob', runner({})],
  ['setsid', runner({ short: 'cfw', long: 'ctty fork wait' })],
  ['time', runner({ short: 'pvf:o:a', long: 'portability verbose format= output=' })],
  [
    'timeout',
    runner({ short: 's:k:fpv', long: 'signal= kill-after= foreground preserve-status verbose' }, 1),
  ],
  ['nice', runner({ short: 'n:0', long: 'adjustment=' })],
  ['ionice', runner({ short: 'c:n:t', long: 'class= classdata= ignore' })],
  ['stdbuf', runner({ short: 'i:o:e:', long: 'input= output= error=' })],
  ['caffeinate', runner({ short: 'dimsut:w:' })],
  ['sudo', runner({ short: 'nEHSkbu:g:', long: 'non-interactive user= group= preserve-env' }, 0, true)],
  ['doas', runner({ short: 'nu:' })],
]);
const xargs = mannerOf({
  short: '0rtxpn:P:I:L:d:s:E:',
  long: 'null no-run-if-empty verbose max-args= max-procs= delimiter= max-chars= exit',
});

/** @returns undefined where it is no runner, or what it runs cannot be told */
export function runnerReach(
  name: string,
  all: readonly ShellWord[],
  words: readonly Given[],
): Reach | undefined {
  if (name === 'xargs') return xargsReach(all, words);
  if (name === 'command' && /^-[vV]+$/.test(words[1]?.text ?? '')) return harmless;
  const known = runners.get(name);
  const read = known && readOptions(known.options, words, 1, true);
  if (!known || !read) return undefined;
  let rest = read.rest.slice(known.skips);
  const assigned: SimpleCommand['assigned'][number][] = [];
  while (known.assigns && rest[0] !== undefined) {
    const [first, ...others] = all[rest[0]]?.pieces ?? [];
    const [, variable, value = ''] =
      /^([A-Za-z_]\w*)=(.*)$/s.exec(first?.kind === 'text' ? first.value : '') ?? [];
    if (variable === undefined) break;
    assigned.push({ name: variable, value: { pieces: [{ kind: 'text', value }, ...others] } });
    rest = rest.slice(1);
  }
  const run = rest.map((at) => all[at]).filter((word) => word !== undefined);
  if (run.length === 0 && assigned.length === 0) return harmless;
  return { ...harmless, inner: [{ words: run, redirects: [], assigned }] };
}

/** Words that it reads come behind the ones that it has, or in their place. */
function xargsReach(all: readonly ShellWord[], words: readonly Given[]): Reach | undefined {
  const read = readOptions(xargs, words, 1, true);
  if (!read) return undefined;
  const mark = read.options.find(({ name }) => name === '-I');
  if (mark && mark.value === undefined) return undefined;
  const own = read.rest.map((at) => all[at]).filter((word) => word !== undefined);
  // Without one it echoes.
  if (own.length === 0) return harmless;
  const run =
    mark?.value === undefined ? [...own, unknown] : own.map((word) => replaced(word, mark.value ?? ''));
  return { ...harmless, inner: [{ words: run, redirects: [], assigned: [] }] };
}

const unknown: ShellWord = { pieces: [{ kind: 'unknown' }] };

const replaced = (word: ShellWord, mark: string): ShellWord =>
  word.pieces.some((piece) => piece.kind !== 'text' || piece.value.includes(mark)) ? unknown : word;

/** `sh -c '…'` runs a script that can be read; with anything else a shell runs what no word says. */
export function shellReach(words: readonly Given[]): Reach | undefined {
  const [, option, script] = words;
  if (!/^-[euxl]*c$/.test(option?.text ?? '') || script?.text === undefined) return undefined;
  const inner = simpleCommands(script.text);
  return inner && { ...harmless, inner };
}

/** `eval` joins its words. */
export function evalReach(words: readonly Given[]): Reach | undefined {
  const texts = words.slice(1).map(({ text }) => text);
  if (texts.includes(undefined)) return undefined;
  const inner = simpleCommands(texts.join(' '));
  return inner && { ...harmless, inner };
}
