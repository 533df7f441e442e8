// Programs that are read in a way of their own.
import type { ShellWord } from '../shell-word.ts';
import { fileManners } from './files.ts';
import { findReach } from './find.ts';
import { gitReach } from './git-reach.ts';
import type { Given } from './options.ts';
import { harmless, type Reach, reachOf } from './reach.ts';
import { evalReach, shellReach } from './runners.ts';
import { awkReach, nodeReach, sedReach, sqliteReach } from './scripted.ts';

type Reader = (words: readonly Given[], all: readonly ShellWord[]) => Reach | undefined;

/** Its options, of which `-v` sets a variable, stand at its beginning. */
function printfReach([, format, ...more]: readonly Given[]): Reach | undefined {
  if (format?.text === undefined || /^-./.test(format.text)) return undefined;
  return { ...harmless, texts: new Set([1, ...more.map((_, at) => at + 2)]) };
}

function ddReach(words: readonly Given[]): Reach | undefined {
  if (!words.slice(1).every(({ text }) => /^[a-z]+=/.test(text ?? ''))) return undefined;
  return { ...harmless, removes: words.some(({ text }) => text?.startsWith('of=')) };
}

/** Of the programs that it may find, some are known. */
function npxReach(words: readonly Given[], all: readonly ShellWord[]): Reach | undefined {
  const at = /^--no(?:-install)?$/.test(words[1]?.text ?? '') ? 2 : 1;
  const name = words[at]?.text ?? '';
  if (!analysers.has(name)) return undefined;
  return { ...harmless, inner: [{ words: all.slice(at), redirects: [], assigned: [] }] };
}

const analysers = new Set(['tsc', 'biome', 'pyright']);

/** Letters without a dash are options, too, and their values come behind them: `tar cIf 'rm x' a b`. */
function tarReach(words: readonly Given[]): Reach | undefined {
  const [, letters] = words;
  if (letters?.text === undefined || !/^[ctxrvzjJamkpOhSf]+$|^-/.test(letters.text)) return undefined;
  const manner = fileManners.get('tar');
  return manner && reachOf(manner, words, 0);
}

export const specialReaders: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['git', gitReach],
  ...['find', 'gfind'].map((name) => [name, findReach] as const),
  ...['sed', 'gsed'].map((name) => [name, sedReach] as const),
  ...['awk', 'gawk', 'mawk', 'nawk'].map((name) => [name, awkReach] as const),
  ...['bash', 'sh', 'zsh', 'dash', 'ash', 'ksh'].map((name) => [name, shellReach] as const),
  ['eval', evalReach],
  ['printf', printfReach],
  ['dd', ddReach],
  ['tar', tarReach],
  ['node', nodeReach],
  ['sqlite3', sqliteReach],
  ['npx', npxReach],
]);
