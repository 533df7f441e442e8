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
  usual?: string;
}

/** What a tool's table says of a place in its input; undefined where it does not know it. */
export type Lookup = (place: string) => Entry | undefined;

/** Each table is taken apart once. */
const read = new WeakMap<FieldTable, ReadonlyMap<string, Lookup>>();

/** @returns undefined for a tool that the table does not have */
export function lookupIn(table: FieldTable, tool: string): Lookup | undefined {
  let lookups = read.get(table);
  if (!lookups) {
    lookups = new Map(Object.entries(table).map(([name, meanings]) => [name, lookupOf(meanings)]));
    read.set(table, lookups);
  }
  return lookups.get(tool);
}

function lookupOf(meanings: FieldTable[string]): Lookup {
  const entries = new Map<string, Entry>();
  for (const [meaning, names] of Object.entries(meanings) as [Meaning, string][])
    for (const word of names.split(/\s+/)) {
      const [name = '', usual] = word.split('=');
      entries.set(name, { meaning, ...(usual !== undefined && { usual }) });
    }
  return (place) => {
    for (let at = place; at !== ''; at = above(at)) {
      const entry = entries.get(at);
      if (entry) return entry.meaning === 'flag' && at !== place ? undefined : entry;
    }
    return undefined;
  };
}

/** `a.b[].c` → `a.b[]` → `a.b` → `a` → nothing. */
export const above = (place: string): string =>
  place.slice(0, Math.max(0, place.lastIndexOf('.'), place.lastIndexOf('[]'), place.lastIndexOf('{}')));
