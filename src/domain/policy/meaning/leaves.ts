// The values of an input, however deep, up to a bound.

export interface Leaf {
  /** `edits[2].path` */
  at: string;
  /** `edits[].path`; what stands for a name that is itself a value: `files{}` */
  place: string;
  value: unknown;
  /** `at` of the list that it stands in. */
  list?: string;
}

/** Objects and lists inside of each other, and values, beyond which an input is not looked at. */
export const deepest = 12;
export const mostLeaves = 5_000;

/** @returns false where there is more than the bounds allow */
export function collectLeaves(input: unknown, found: Leaf[], at = '', place = '', depth = 0): boolean {
  if (typeof input !== 'object' || input === null) {
    if (input === undefined || input === null) return true;
    found.push({ at, place, value: input });
    return found.length <= mostLeaves;
  }
  if (depth === deepest) return false;
  return Array.isArray(input)
    ? input.every((each, index) => collectItem(each, found, { at, place, depth, index }))
    : Object.entries(input).every(([name, value]) => {
        // A name may be a value: `{"files": {"/etc/hosts": "…"}}`.
        if (!/^[\w-]{1,64}$/.test(name)) found.push({ at, place: `${place}{}`, value: name });
        const to = plainName(name);
        return collectLeaves(value, found, at ? `${at}.${to}` : to, place ? `${place}.${to}` : to, depth + 1);
      });
}

interface Item {
  at: string;
  place: string;
  depth: number;
  index: number;
}

function collectItem(each: unknown, found: Leaf[], { at, place, depth, index }: Item): boolean {
  if (typeof each === 'object' && each !== null)
    return collectLeaves(each, found, `${at}[${index}]`, `${place}[]`, depth + 1);
  found.push({ at: `${at}[${index}]`, place: `${place}[]`, value: each, list: at });
  return found.length <= mostLeaves;
}

/** A name with a dot or a bracket would pass for two. */
const plainName = (name: string): string => (/^[\w $-]{1,64}$/.test(name) ? name : '?');
