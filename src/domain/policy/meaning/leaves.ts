// The values of an input, however deep, up to a bound.

export interface Leaf {
  /** `edits[2].path` */
  at: string;
  /** `edits[].path`; what stands for a name that is itself a value: `files{}` */
  place: string;
  value: unknown;
  /** `at` of the list that it stands in. */
  list?: string | undefined;
}

/** Objects and lists inside of each other, and values, beyond which an input is not looked at. */
const deepest = 12;
const mostLeaves = 5_000;

export interface Leaves {
  leaves: readonly Leaf[];
  /** False: there is more than the bounds allow. */
  whole: boolean;
}

/** @param at where in another input it was found */
export function leavesOf(input: unknown, at = ''): Leaves {
  const leaves: Leaf[] = [];
  const whole = collect(input, { at, place: at, depth: 0 }, leaves);
  return { leaves, whole };
}

interface Where {
  at: string;
  place: string;
  depth: number;
  list?: string;
}

function collect(input: unknown, where: Where, found: Leaf[]): boolean {
  const { at, place, depth, list } = where;
  if (typeof input !== 'object' || input === null) return add({ at, place, list, value: input }, found);
  if (depth === deepest) return false;
  if (Array.isArray(input))
    return input.every((each, index) =>
      collect(each, { at: `${at}[${index}]`, place: `${place}[]`, depth: depth + 1, list: at }, found),
    );
  return Object.entries(input).every(([name, value]) => {
    // A name may be a value: `{"files": {"/etc/hosts": "…"}}`.
    const isValue = !/^[\w-]{1,64}$/.test(name);
    if (isValue && !add({ at, place: `${place}{}`, value: name }, found)) return false;
    const to = plainName(name);
    const below = at === '' ? { at: to, place: to } : { at: `${at}.${to}`, place: `${place}.${to}` };
    return collect(value, { ...below, depth: depth + 1 }, found);
  });
}

function add(leaf: Leaf, found: Leaf[]): boolean {
  // In a list, nothing stands for something.
  if ((leaf.value === undefined || leaf.value === null) && leaf.list === undefined) return true;
  found.push(leaf);
  return found.length <= mostLeaves;
}

/** A name with a dot or a bracket would pass for two. */
const plainName = (name: string): string => (/^[\w $-]{1,64}$/.test(name) ? name : '?');
