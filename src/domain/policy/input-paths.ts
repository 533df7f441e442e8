// The paths that the fields of a tool's input name, and those that they may name.
import type { NamedCall } from './call.ts';
import type { Field, Reading } from './meaning/meaning.ts';
import { type Place, resolved } from './place.ts';
import type { Piece } from './shell-word.ts';
import { nowhere, type Spelling, spelled } from './spelling.ts';

/** Claude Code's tools that look into the working directory when they name none. */
const lookAround = new Set(['Grep', 'Glob', 'LS']);
const absolute = /^(?:\/|~(?:\/|$)|\$HOME(?:\/|$)|\$\{HOME\}(?:\/|$)|file:[/\\])/i;
/** `https:`, `data:`; one letter is a drive. */
const scheme = /^\s*[a-z][a-z0-9+.-]+:/i;

/** Paths in the fields whose meaning is one. */
export function inputPaths(call: NamedCall, { fields, whole }: Reading, place: Place): Spelling[] {
  if (!whole) return [nowhere];
  const found = fields.flatMap((field) => pathsOf(field, place));
  if (call.lent && call.tool === 'apply_patch' && !fields.some(({ meaning }) => meaning === 'patch'))
    found.push(nowhere);
  const looks = !call.lent && lookAround.has(call.tool);
  if (looks && !fields.some(({ meaning }) => isPath(meaning))) found.push(spell('.', place));
  return found;
}

/** The paths that one field names. */
export function pathsOf({ meaning, value }: Field, place: Place): Spelling[] {
  if (meaning === 'patch')
    return patched(value).map((path) => (path === undefined ? nowhere : spell(path, place)));
  if (meaning === 'glob') return typeof value === 'string' ? [{ ...spell(value, place), globs: true }] : [];
  if (isPath(meaning))
    return typeof value === 'string' ? readings(value).map((path) => spell(path, place)) : [nowhere];
  if (typeof value !== 'string') return [];
  if (meaning === 'media') return namesFile(value) ? readings(value).map((path) => spell(path, place)) : [];
  return meaning === 'url' && /^\s*file:/i.test(value) ? [spell(value.trim(), place)] : [];
}

const isPath = (meaning: Field['meaning']): boolean => meaning === 'path' || meaning === 'folder';

/** Of a field that may hold a file or an address. */
const namesFile = (value: string): boolean => !scheme.test(value) || /^\s*file:/i.test(value);

/**
 * OpenClaw takes `@/etc/hosts` for `/etc/hosts`, other spaces for a space, and cuts a slip of the model's off
 * (`x</arg_value>`).
 */
function readings(value: string): string[] {
  const plain = value.replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' ').trim();
  const bare = plain.startsWith('@') ? plain.slice(1) : plain;
  const cut = bare.indexOf('<');
  return [...new Set([value, plain, bare, ...(cut > 0 ? [bare.slice(0, cut)] : [])])];
}

/** Whether the text is a path, and the same one, to every tool. */
export const isPlainPath = (value: unknown, { cwd }: Place): boolean =>
  typeof value === 'string' &&
  !scheme.test(value) &&
  !/^[\s@]|^~[^/]|[<\0\u00a0\u2000-\u200a\u202f\u205f\u3000]|\s$/.test(value) &&
  !/^\/(?:proc|dev)\//.test(resolved(value, cwd));

/** The files that a patch of OpenClaw's names. */
function patched(input: unknown): (string | undefined)[] {
  if (typeof input !== 'string') return [undefined];
  // Its reader takes the blanks before a header away.
  const header = /^[^\S\n\r\u2028\u2029]*\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm;
  const files = [...input.matchAll(header)];
  return files.length === 0 ? [undefined] : files.map(([, file]) => file?.trim());
}

const spell = (path: string, place: Place): Spelling => spelled(homely(path), place, place.cwd);

/** Tools expand `~`, and some `$HOME`, themselves. */
function homely(path: string): Piece[] {
  const home = /^(?:~|\$HOME|\$\{HOME\})(\/.*)?$/s.exec(path);
  return home ? [{ kind: 'home' }, { kind: 'text', value: home[1] ?? '' }] : [{ kind: 'text', value: path }];
}

/** Paths that may be meant by a text of which nobody knows what it is. */
export interface LoosePaths {
  /** Whole values. */
  whole: readonly Spelling[];
  /** Pieces of a longer text. */
  pieces: readonly Spelling[];
  /** There are more than are looked at. */
  more: boolean;
}

const longestPath = 4_096;
const mostPieces = 500;

export function loosePaths({ fields }: Reading, place: Place): LoosePaths {
  const whole = new Set<string>();
  const pieces = new Set<string>();
  for (const { meaning, value } of fields) {
    if (typeof value !== 'string' || !isLoose(meaning)) continue;
    const text = value.trim();
    // Where a relative one starts has to be known.
    if (
      text.length <= longestPath &&
      !text.includes('\n') &&
      (absolute.test(text) || isRelative(text, place))
    )
      whole.add(text);
    for (const piece of piecesOf(text)) if (pieces.size <= mostPieces) pieces.add(piece);
  }
  const spell = (path: string): Spelling => {
    const spelling = spelled(homely(path), place, place.cwd);
    return { ...spelling, globs: /[*?]/.test(path) };
  };
  return { whole: [...whole].map(spell), pieces: [...pieces].map(spell), more: pieces.size > mostPieces };
}

const isRelative = (text: string, { cwd }: Place): boolean =>
  cwd !== undefined && text !== '' && !scheme.test(text) && !/\s/.test(text);

/** What the meaning says nothing about a path of, and does not rule one out either. */
const isLoose = (meaning: Field['meaning']): boolean =>
  meaning === 'unknown' || meaning === 'words' || meaning === 'power' || meaning === 'url';

/** What stands between blanks, quotes and brackets, and begins as a path does; also behind `=`, `:` and `@`. */
function* piecesOf(text: string): Generator<string> {
  for (const word of text.replaceAll(`\${HOME}`, '$HOME').split(/[\s"'`<>|,;()[\]{}=&]+/)) {
    if (!/[/~]/.test(word) && !word.startsWith('$HOME')) continue;
    if (absolute.test(word)) yield word;
    for (const [, rest = ''] of word.matchAll(/(?<=[:@])((?:~|\$HOME)?\/.*)/g)) yield rest;
  }
}
