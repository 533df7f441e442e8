// Tables of fields: tool, meaning, and the names that have it.
import type { Meaning } from './meaning.ts';

/**
 * Names are separated by blanks. `edits[].path` is a field of each object in a list. `host=auto`: with this value it is
 * as good as absent. A name also stands for what is below it, but for a flag, which is one value.
 */
export type FieldTable = Readonly<Record<string, Readonly<Partial<Record<Meaning, string>>>>>;

export interface Entry {
  meaning: Meaning;
  /** A value that says what leaving it out says. */
  usual?: string | undefined;
}

/** What a tool's table says of a place in its input; undefined where it does not know it. */
export type Lookup = (place: string) => Entry | undefined;

/** The lookup of each tool of a table. */
export const lookupsOf = (table: FieldTable): ReadonlyMap<string, Lookup> =>
  new Map(Object.entries(table).map(([tool, meanings]) => [tool, lookupOf(meanings)]));

function lookupOf(meanings: FieldTable[string]): Lookup {
  const entries = new Map(
    Object.entries(meanings).flatMap(([meaning, names]) =>
      [...names.matchAll(/([^\s=]+)(?:=(\S+))?/g)].map(([, name, usual]): [string | undefined, Entry] => [
        name,
        { meaning: meaning as Meaning, usual },
      ]),
    ),
  );
  return (place) => {
    for (let at = place; at !== ''; at = above(at)) {
      const entry = entries.get(at);
      if (entry) return entry.meaning === 'flag' && at !== place ? undefined : entry;
    }
    return undefined;
  };
}

/** `a.b[].c` → `a.b[]` → `a.b` → `a` → nothing. */
const above = (place: string): string =>
  place.slice(0, Math.max(0, place.lastIndexOf('.'), place.lastIndexOf('[]'), place.lastIndexOf('{}')));
