// The paths that a call names, in every spelling that can be read without running it.
import { fields, type NamedCall } from './call.ts';
import type { Place } from './place.ts';
import type { SimpleCommand } from './shell.ts';
import { literal, type Piece, type ShellWord } from './shell-word.ts';

/** One path as a call spells it. */
export interface Spelling {
  /** Absolute, with its `..` in it: whether they go back from a link or from where it leads depends on who reads it. */
  path: string | undefined;
  /** Else only what it begins with is known, if anything. */
  known: boolean;
  /** `path` holds patterns. */
  globs: boolean;
}

const nowhere: Spelling = { path: undefined, known: false, globs: false };

/** Segments of a path, and words of a command, beyond which it is asked about. */
const mostSegments = 200;
const mostWords = 300;
/** Places in one word at which a path may begin; with more of them it is asked about, too. */
const mostMarks = 8;

const pathField = /^(?:.*_)?(?:path|file|dir|directory|folder|cwd|workdir|root)s?$|(?:Path|File|Dir)s?$/;
/** Claude Code's tools that look into the working directory when they name none. */
const lookAround = new Set(['Grep', 'Glob', 'LS']);

/** Paths in the fields of a tool's input; undefined when there is no telling. */
export function inputPaths({ tool, input, lent }: NamedCall, place: Place): Spelling[] {
  if (typeof input === 'string') return [nowhere];
  const patch = lent && tool === 'apply_patch' ? patched(fields(input).input) : [];
  const named = Object.entries(fields(input)).flatMap(([name, value]) =>
    pathField.test(name) ? texts(value) : [],
  );
  const pattern = fields(input).pattern;
  const globs = tool === 'Glob' && typeof pattern === 'string' ? [pattern] : [];
  const all = [...patch, ...named];
  if (all.length === 0 && !lent && lookAround.has(tool)) all.push('.');
  return [
    ...all.map((path) => (path === undefined ? nowhere : spelled(homely(path), place, place.cwd))),
    ...globs.map((path) => ({ ...spelled(homely(path), place, place.cwd), globs: true })),
  ];
}

const texts = (value: unknown): (string | undefined)[] =>
  Array.isArray(value) ? value.flatMap(texts) : [typeof value === 'string' ? value : undefined];

/** The files that a patch of OpenClaw's names. */
function patched(input: unknown): (string | undefined)[] {
  if (typeof input !== 'string') return [undefined];
  const files = [...input.matchAll(/^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm)];
  return files.length === 0 ? [undefined] : files.map(([, file]) => file?.trim());
}

/** Tools expand `~`, and some `$HOME`, themselves. */
function homely(path: string): Piece[] {
  const home = /^(?:~|\$HOME|\$\{HOME\})(\/.*)?$/s.exec(path);
  return home ? [{ kind: 'home' }, { kind: 'text', value: home[1] ?? '' }] : [{ kind: 'text', value: path }];
}

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

function spelled(pieces: readonly Piece[], place: Place, base: string | undefined): Spelling {
  let text = '';
  let globs = false;
  for (const piece of pieces) {
    if (piece.kind === 'unknown' || (piece.kind === 'cwd' && place.cwd === undefined))
      return {
        path: text.startsWith('/') ? text.slice(0, text.lastIndexOf('/') + 1) : undefined,
        known: false,
        globs,
      };
    if (piece.kind === 'home') text += place.home;
    else if (piece.kind === 'cwd') text += place.cwd;
    else text += piece.value;
    globs ||= piece.kind === 'glob';
  }
  if (!text.startsWith('/') && base === undefined) return nowhere;
  if (text.split('/').length > mostSegments) return nowhere;
  return { path: text.startsWith('/') ? text : `${base}/${text}`, known: true, globs };
}
