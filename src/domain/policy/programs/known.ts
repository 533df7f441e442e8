// Whether anything is known of a command, and what.
import type { SimpleCommand } from '../shell.ts';
import type { ShellWord } from '../shell-word.ts';
import { isInstalled } from './name.ts';
import type { Given } from './options.ts';
import { given, harmless, type Reach, reachOf } from './reach.ts';
import { runnerReach } from './runners.ts';
import { specialReaders } from './special.ts';
import { suiteReach } from './suite-reach.ts';
import { tellsVersion } from './suites.ts';
import { table } from './table.ts';
import { isHarmlessVariable } from './variables.ts';

/**
 * What a command may do beyond its words.
 *
 * @returns undefined where nothing is known of it: it may run anything, open any file and speak to every host
 */
export function knownReach(command: SimpleCommand): Reach | undefined {
  // Asked once for each rule, and for its command, its paths and its hosts.
  if (!reaches.has(command)) reaches.set(command, found(command));
  return reaches.get(command);
}

const reaches = new WeakMap<SimpleCommand, Reach | undefined>();

function found({ words, assigned }: SimpleCommand): Reach | undefined {
  const [first] = words;
  if (!assigned.every(({ name }) => isHarmlessVariable(name, first === undefined || setsOnly(first))))
    return undefined;
  if (!first) return harmless;
  const [program, ...rest] = given(words);
  if (program?.text === undefined || !isInstalled(program.text)) return undefined;
  return programReach(program.text.slice(program.text.lastIndexOf('/') + 1), words, [program, ...rest]);
}

/** Whether a program runs nothing that it is not told to, at least with some words behind it. */
export const isKnownInPart = (program: string): boolean =>
  specialReaders.has(program) || [...table.keys()].some((name) => name.startsWith(`${program}/`));

/** `export`, `local`: what stands behind them is set for the script. */
const setsOnly = ({ pieces: [first] }: ShellWord): boolean =>
  first?.kind === 'text' && /^(?:export|readonly|local|declare|typeset)$/.test(first.value);

function programReach(name: string, all: readonly ShellWord[], words: readonly Given[]): Reach | undefined {
  if (words.length === 2 && tellsVersion.has(name) && /^--(?:version|help)$/.test(words[1]?.text ?? ''))
    return harmless;
  const special = specialReaders.get(name);
  return special ? special(words, all) : (runnerReach(name, all, words) ?? tableReach(name, words));
}

function tableReach(name: string, words: readonly Given[]): Reach | undefined {
  const manner = table.get(name);
  if (!manner) return suiteReach(name, words);
  // `less +G` goes to a place; `less +!rm` runs.
  if (name === 'less' && words.some(({ text }) => /^\+(?![GF]$|\d+$)/.test(text ?? ''))) return undefined;
  // `curl -w '%output{…}'` writes to what stands in the braces.
  if (name === 'curl' && words.some(({ text }) => text?.includes('%output'))) return undefined;
  const reach = reachOf(manner, words, 0);
  // `unset 'x[$(rm y)]'` runs what stands in the brackets.
  if (namesVariables.has(name) && words.some(({ text }) => text !== undefined && computes(text)))
    return undefined;
  return reach && name === 'cp' && words.some(({ text }) => /^\/(?:dev|proc)\//.test(text ?? ''))
    ? { ...reach, removes: true }
    : reach;
}

const computes = (text: string): boolean =>
  text === '-v' || (text.includes('[') && /[$`]/.test(text.slice(text.indexOf('['))));

const namesVariables = new Set(
  'unset read export readonly local declare typeset mapfile readarray getopts test ['.split(' '),
);
