// A rule's `path` against the paths that a call names.

import { folded, type Place, resolved } from '../place.ts';
import { either, type Fit } from '../ruling.ts';
import type { Spelling } from '../spelling.ts';
import { positionOf } from './glob.ts';

/** A rule that restricts: one path inside is enough, in any spelling; a folder above it may be. */
export function touches(pattern: string, paths: readonly Spelling[], place: Place): Fit {
  const rules = named(pattern, place).map(folded);
  return either(
    ...paths.map(({ path, known, globs }): Fit => {
      if (path === undefined) return 'maybe';
      // `cd` takes a `..` back by the words, everything else from where a link leads.
      const ways = [path, resolved(path)].map((way) => real(way, globs, place));
      const found = [resolved(path), ...ways]
        .map(folded)
        .flatMap((way) => rules.map((rule) => positionOf(rule, way, globs)));
      if (found.includes('inside')) return 'yes';
      return !known || found.includes('above') ? 'maybe' : 'no';
    }),
  );
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
