// The paths that a shell command names, in every spelling that can be read without running it.
import type { Place } from './place.ts';
import type { SimpleCommand } from './shell.ts';
import { literal, type Piece, type ShellWord } from './shell-word.ts';
import { nowhere, type Spelling, spelled } from './spelling.ts';

/** Words of a command beyond which it is asked about. */
const mostWords = 300;
/** Places in one word at which a path may begin; with more of them it is asked about, too. */
const mostMarks = 8;

/** Paths in the words of one simple command; `from` is where it may run. */
export function commandPaths(
  { words, redirects, assigned }: SimpleCommand,
  place: Place,
  from: readonly (string | undefined)[],
): Spelling[] {
  const all = [...words, ...redirects.map(({ word }) => word), ...assigned.map(({ value }) => value)];
  if (all.length > mostWords) return [nowhere];
  return all.flatMap((word) =>
    candidates(word).flatMap((pieces) => from.map((base) => spelled(pieces, place, base))),
  );
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
  const found: (readonly Piece[])[] = /^-[^/]*$/.test(first.value) ? [] : [pieces];
  const marks = splits(first.value);
  if (marks.length > mostMarks) found.push([{ kind: 'unknown' }]);
  for (const at of marks.slice(0, mostMarks)) {
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
  const marks = [...text.matchAll(/[=:@,]/g)].map(({ index }) => index + 1);
  const slash = /^-[^/~]*(?=[/~])/.exec(text)?.[0].length;
  return slash === undefined ? marks : [...marks, slash];
}
