// A rule's `path` against the paths that a call names.

import { folded, type Place, resolved } from '../place.ts';
import { either, type Fit } from '../ruling.ts';
import type { Spelling } from '../spelling.ts';
import { positionOf, segmentsOf, walk } from './glob.ts';

/** A rule that restricts: one path inside is enough, in any spelling; a folder above it may be. */
export function touches(pattern: string, paths: readonly Spelling[], place: Place): Fit {
  if (paths.length === 0) return 'no';
  const { rules, spellings } = knownAt(place);
  const wanted = kept(rules, pattern, () => named(pattern, place).map(folded).map(segmentsOf));
  return either(
    ...paths.map((spelling): Fit => {
      const { path, known, globs } = spelling;
      if (path === undefined) return 'maybe';
      const ways = kept(spellings, spelling, () => waysOf(path, globs, place));
      const found = ways.flatMap((way) => wanted.map((rule) => walk(rule, way, globs)));
      if (found.includes('inside')) return 'yes';
      return !known || found.includes('above') ? 'maybe' : 'no';
    }),
  );
}

/** `cd` takes a `..` back by the words, everything else from where a link leads. */
function waysOf(path: string, globs: boolean, place: Place): string[][] {
  const plain = resolved(path);
  const ways = [plain, ...[path, plain].map((way) => real(way, globs, place))];
  return [...new Set(ways.map(folded))].map(segmentsOf);
}

/** What was taken apart for one call, so that it is not done again for each rule and each command of it. */
interface Known {
  rules: Map<string, string[][]>;
  spellings: Map<Spelling, string[][]>;
}

const known = new WeakMap<Place, Known>();

const knownAt = (place: Place): Known =>
  kept(known, place, () => ({ rules: new Map(), spellings: new Map() }));

function kept<K, V>(
  map: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: () => V,
): V {
  const before = map.get(key);
  if (before !== undefined) return before;
  const made = make();
  map.set(key, made);
  return made;
}

/** A rule that allows: every path is known, and lies inside wherever links lead. */
export function staysIn(pattern: string, paths: readonly Spelling[], place: Place): Fit {
  const rules = named(pattern, place);
  const inside = ({ path, known, globs }: Spelling): boolean => {
    if (path === undefined || !known || globs) return false;
    return [place.real(path), place.real(resolved(path))].every((way) =>
      rules.some((rule) => positionOf(rule, resolved(way), false) === 'inside'),
    );
  };
  return paths.length > 0 && paths.every(inside) ? 'yes' : 'no';
}

/** What a rule names, as it is written and without links. */
function named(pattern: string, place: Place): string[] {
  const { home, cwd } = place;
  const path = resolved(pattern.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, home), cwd);
  return [path, real(path, true, place)];
}

/** Links are followed up to the first pattern. */
function real(path: string, globs: boolean, place: Place): string {
  const at = globs ? path.search(/\/[^/]*[*?]/) : -1;
  return resolved(at < 0 ? place.real(path) : `${place.real(path.slice(0, at) || '/')}${path.slice(at)}`);
}
