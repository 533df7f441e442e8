// What a simple command may do beyond what its words say. Nothing is known of a program that stands in no table here.

import type { SimpleCommand } from '../shell.ts';
import { literal, type ShellWord } from '../shell-word.ts';
import type { Manner } from './manner.ts';
import { type Given, readOptions } from './options.ts';

/** Known of a command: of one of which nothing is, there is none. */
export interface Reach {
  /** Commands that it runs, of its own words. */
  inner: readonly SimpleCommand[];
  /** Hosts that its words name; `more`: others, too. */
  speaks: Manner['speaks'];
  /** `more`: files that none of its words names. */
  opens: Manner['opens'];
  /** Files that a script of its own names. */
  files: readonly string[];
  /** Takes files away, or empties them. */
  removes: boolean;
  /** Places of the words that are text, and no files. */
  texts: ReadonlySet<number>;
  /** Place of the word that says what the program does: `push` in `git -C x push`. */
  at: number;
}

export const harmless: Reach = {
  inner: [],
  speaks: 'no',
  opens: 'words',
  files: [],
  removes: false,
  texts: new Set(),
  at: 0,
};

export const given = (words: readonly ShellWord[]): Given[] =>
  words.map((word) => {
    const open = word.pieces.some((piece) => piece.kind === 'unknown' && piece.quoted !== true);
    // What a pattern stands for begins as the pattern does.
    const splits = open || word.pieces.some(({ kind }) => kind === 'glob');
    return { text: literal(word), loose: open || mayBegin(word), splits };
  });

/** Whether the shell may make an option of it, or several words. */
function mayBegin({ pieces: [first] }: ShellWord): boolean {
  return first?.kind !== 'text'
    ? first?.kind !== 'home' && first?.kind !== 'cwd'
    : first.value.startsWith('-');
}

/** @param at place of the word behind which its options and words begin */
export function reachOf(manner: Manner, words: readonly Given[], at: number): Reach | undefined {
  const strict = readOptions(manner, words, at + 1);
  const read =
    strict ?? (manner.othersOpen ? readOptions({ ...manner, any: true }, words, at + 1) : undefined);
  if (!read || read.rest.length > manner.most) return undefined;
  const texts = new Set(
    manner.text === 'all' ? read.rest : manner.text === 'first' ? read.rest.slice(0, 1) : [],
  );
  for (const { name, valueAt } of read.options)
    if (valueAt !== undefined && (manner.text === 'all' || manner.textOptions.has(name))) texts.add(valueAt);
  return {
    ...harmless,
    speaks: manner.speaks,
    opens: strict ? manner.opens : 'more',
    removes: manner.removes || read.options.some(({ name }) => manner.removing.has(name)),
    texts,
    at,
  };
}
