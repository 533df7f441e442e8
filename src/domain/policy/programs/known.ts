// Whether anything is known of a command, and what.
import type { SimpleCommand } from '../shell.ts';
import type { ShellWord } from '../shell-word.ts';
import { fileManners } from './files.ts';
import { findReach } from './find.ts';
import { gitReach } from './git-reach.ts';
import { mannerOf } from './manner.ts';
import { isInstalled } from './name.ts';
import { type Given, readOptions } from './options.ts';
import { given, harmless, type Reach, reachOf } from './reach.ts';
import { evalReach, runnerReach, shellReach, shells } from './runners.ts';
import { isPlainAwk, sedScript } from './scripts.ts';
import { suiteGlobals, suiteManners, tellsVersion } from './suites.ts';
import { systemManners } from './system.ts';
import { isHarmlessVariable } from './variables.ts';

/**
 * What a command may do beyond its words.
 *
 * @returns undefined where nothing is known of it: it may run anything, open any file and speak to every host
 */
export function knownReach({ words, assigned }: SimpleCommand): Reach | undefined {
  const [first] = words;
  if (!assigned.every(({ name }) => isHarmlessVariable(name, first === undefined || setsOnly(first))))
    return undefined;
  if (!first) return harmless;
  const [program, ...rest] = given(words);
  if (program?.text === undefined || !isInstalled(program.text)) return undefined;
  return programReach(program.text.slice(program.text.lastIndexOf('/') + 1), words, [program, ...rest]);
}

/** `export`, `local`: what stands behind them is set for the script. */
const setsOnly = ({ pieces: [first] }: ShellWord): boolean =>
  first?.kind === 'text' && /^(?:export|readonly|local|declare|typeset)$/.test(first.value);

function programReach(name: string, all: readonly ShellWord[], words: readonly Given[]): Reach | undefined {
  if (words.length === 2 && tellsVersion.has(name) && /^--(?:version|help)$/.test(words[1]?.text ?? ''))
    return harmless;
  if (shells.has(name)) return shellReach(words);
  switch (name) {
    case 'git':
      return gitReach(words);
    case 'find':
    case 'gfind':
      return findReach(all, words, 1);
    case 'sed':
    case 'gsed':
      return sedReach(words);
    case 'awk':
    case 'gawk':
    case 'mawk':
    case 'nawk':
      return awkReach(words);
    case 'eval':
      return evalReach(words);
    case 'printf':
      return printfReach(words);
    case 'dd':
      return ddReach(words);
    default:
      return runnerReach(name, all, words) ?? tableReach(name, words);
  }
}

function tableReach(name: string, words: readonly Given[]): Reach | undefined {
  const manner = fileManners.get(name) ?? systemManners.get(name);
  if (!manner) return suiteReach(name, words);
  const reach = reachOf(manner, words, 0);
  // `unset 'x[$(rm y)]'` runs what stands in the brackets.
  if (words.some(({ text }) => /\[.*[$`]|^-v$/s.test(text ?? '')) && namesVariables.has(name))
    return undefined;
  return reach && name === 'cp' && words.some(({ text }) => /^\/(?:dev|proc)\//.test(text ?? ''))
    ? { ...reach, removes: true }
    : reach;
}

const namesVariables = new Set(
  'unset read export readonly local declare typeset mapfile readarray getopts test ['.split(' '),
);

/** A program whose first words say which of its parts is meant. */
function suiteReach(name: string, words: readonly Given[]): Reach | undefined {
  let path = name;
  for (let at = 1; at < words.length; at += 1) {
    const globals = suiteGlobals.get(path);
    const next = globals ? readOptions(globals, words, at, true)?.rest[0] : at;
    const word = next === undefined ? undefined : words[next]?.text;
    if (next === undefined || word === undefined) return undefined;
    path = `${path}/${word}`;
    at = next;
    const manner = suiteManners.get(path);
    if (manner && !suiteManners.has(`${path}/${words[at + 1]?.text}`)) return reachOf(manner, words, at);
    if (at > deepest) return undefined;
  }
  return undefined;
}

/** Words up to which a part of a program is looked for. */
const deepest = 8;

const sedOptions = mannerOf({
  short: 'nErsuzl:e:',
  long: 'expression= quiet silent regexp-extended separate unbuffered null-data debug posix',
});

function sedReach(words: readonly Given[]): Reach | undefined {
  const isInPlace = ({ text }: Given) => /^(?:-[nErsuz]*i[^e]*|--in-place(?:=.*)?)$/.test(text ?? '');
  const inPlace = words.some(isInPlace);
  // Its place stays, as that of every other word does.
  const plain = words.map((word) => (isInPlace(word) ? { text: '-n', loose: false } : word));
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

function awkReach(words: readonly Given[]): Reach | undefined {
  const read = readOptions({ ...awkOptions, any: false }, words, 1);
  const [at] = read?.rest ?? [];
  const program = at === undefined ? undefined : words[at]?.text;
  if (!read || at === undefined || program === undefined || !isPlainAwk(program)) return undefined;
  return { ...harmless, texts: new Set([at]) };
}

/** Its options, of which `-v` sets a variable, stand at its beginning. */
function printfReach([, format, ...more]: readonly Given[]): Reach | undefined {
  if (format?.text === undefined || /^-./.test(format.text)) return undefined;
  return { ...harmless, texts: new Set([1, ...more.map((_, at) => at + 2)]) };
}

function ddReach(words: readonly Given[]): Reach | undefined {
  if (!words.slice(1).every(({ text }) => /^[a-z]+=/.test(text ?? ''))) return undefined;
  return { ...harmless, removes: words.some(({ text }) => text?.startsWith('of=')) };
}
