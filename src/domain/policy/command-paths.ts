// The paths that a shell command names, in every spelling that can be read without running it.
import type { Place } from './place.ts';
import { knownReach } from './programs/known.ts';
import type { SimpleCommand } from './shell.ts';
import { literal, type Piece, type ShellWord } from './shell-word.ts';
import { nowhere, type Spelling, spelled } from './spelling.ts';

/** Words of a command beyond which it is asked about. */
const mostWords = 300;
/** Places in one word at which a path may begin; with more of them it is asked about, too. */
const mostMarks = 8;
/** Commands within commands beyond which it is asked about. */
const deepest = 5;

/** Paths in the words of one simple command, and of those that it runs; `from` is where it may run. */
export function commandPaths(
  command: SimpleCommand,
  place: Place,
  from: readonly (string | undefined)[],
  depth = 0,
): Spelling[] {
  const { words, redirects, assigned } = command;
  const reach = knownReach(command);
  if (depth > deepest) return [nowhere];
  if (words.length + redirects.length + assigned.length > mostWords) return [nowhere];
  const others = [...redirects.map(({ word }) => word), ...assigned.map(({ value }) => value)];
  const spellings = [
    ...words.flatMap((word, at) => (reach?.texts.has(at) ? printed(word) : candidates(word))),
    ...others.flatMap(candidates),
    ...(reach?.files ?? []).map((path): Piece[] => [{ kind: 'text', value: path }]),
  ];
  return [
    ...spellings.flatMap((pieces) => from.map((base) => spelled(pieces, place, base))),
    // A program of which nothing is known opens what no word of the command names.
    ...(reach?.opens === 'words' ? [] : [nowhere]),
    // Its words stand among those above, but for the ones that it reads first.
    ...(reach?.inner ?? []).flatMap((each) => commandPaths(each, place, from, depth + 1)),
  ];
}

/**
 * What is only printed, or looked for, is no file where nobody knows what it says; but the shell itself looks for
 * patterns, and `@` and `<` take a text from a file.
 */
function printed(word: ShellWord): (readonly Piece[])[] {
  const [first] = word.pieces;
  const opens = first?.kind === 'text' && /^[@<]|=[@<]/.test(first.value);
  const isKnown =
    !word.pieces.some(({ kind }) => kind === 'unknown') || word.pieces.some(({ kind }) => kind === 'glob');
  return opens ? candidates(word) : isKnown ? [word.pieces] : [];
}

/** Folders in which the commands of a script may run: where it starts, and wherever a `cd` leads. */
export function workingFolders(commands: readonly SimpleCommand[], place: Place): (string | undefined)[] {
  const found = new Set<string | undefined>([place.cwd]);
  for (const { words } of commands) {
    const program = words[0] && literal(words[0]);
    if (program !== 'cd' && program !== 'pushd' && program !== 'popd') continue;
    const target = words.slice(1).find((word) => !/^-./.test(literal(word) ?? ''));
    for (const base of [...found]) {
      const back = target && literal(target) === '-';
      const to = target
        ? spelled(back ? [{ kind: 'unknown' }] : target.pieces, place, base)
        : { path: place.home, known: program === 'cd', globs: false };
      found.add(to.known && !to.globs ? to.path : undefined);
    }
    if (found.size > 16) return [undefined];
  }
  return [...found];
}

/** The word, and what stands behind `=`, `:`, `@` or an option's letters in it. */
function candidates({ pieces }: ShellWord): (readonly Piece[])[] {
  const [first, ...rest] = pieces;
  if (first?.kind !== 'text') return [pieces];
  if (/^https?:\/\//i.test(first.value)) return [];
  const found: (readonly Piece[])[] = /^-[^/]*$/.test(first.value) ? [] : [pieces];
  const marks = splits(first.value);
  if (marks.length > mostMarks) found.push([{ kind: 'unknown' }]);
  for (const at of [...marks.slice(0, mostMarks), ...behindLetters(first.value)]) {
    const value = first.value.slice(at);
    const home = value === '~' || value.startsWith('~/');
    const text: Piece[] = home
      ? [{ kind: 'home' }, { kind: 'text', value: value.slice(1) }]
      : [{ kind: 'text', value }];
    found.push([...text, ...rest]);
  }
  return found;
}

function splits(text: string): number[] {
  const marks = [...text.matchAll(/[=:@,<;{|!]/g)].map(({ index }) => index + 1);
  const slash = /^-[^/~]*(?=[/~])/.exec(text)?.[0].length;
  return slash === undefined ? marks : [...marks, slash];
}

/** `-o../x`, `-sSo.x/y`: a value behind the letters of options, of which there may be a few. */
const behindLetters = (text: string): number[] =>
  /^-[^-]/.test(text) ? [2, 3, 4, 5].filter((at) => at < text.length) : [];
