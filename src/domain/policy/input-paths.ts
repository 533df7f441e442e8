// The paths that the fields of a tool's input name.
import { fields, type NamedCall } from './call.ts';
import type { Place } from './place.ts';
import type { Piece } from './shell-word.ts';
import { nowhere, type Spelling, spelled } from './spelling.ts';

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
