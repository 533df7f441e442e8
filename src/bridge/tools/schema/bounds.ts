/** How much of a value is looked at before it is refused. */
export interface Bounds {
  /** Objects and lists inside each other. */
  depth: number;
  nodes: number;
  /** Of all strings and keys together, UTF-16 units. */
  characters: number;
}

export const argumentBounds: Bounds = { depth: 64, nodes: 100_000, characters: 512 * 1024 };
export const schemaBounds: Bounds = { depth: 32, nodes: 5_000, characters: 64 * 1024 };
export const resultBounds: Bounds = { depth: 64, nodes: 200_000, characters: 4 * 1024 * 1024 };

/** Keys by which a copy that is made with `=` would reach a prototype. JSON.parse makes own keys of them. */
const prototypeKeys = new Set(['__proto__', 'constructor']);

interface Open {
  value: object;
  depth: number;
  place: string;
}

/**
 * Whether a value is too much for code that recurses or validates. Looks at each node once, with a stack of its own,
 * and leaves as soon as a bound is passed.
 *
 * @param odd `allow` what a copy leaves out anyway: keys of prototypes, fields that are undefined
 * @returns what is wrong, in words; undefined if nothing is
 */
export function tooDeepOrLarge(root: unknown, bounds: Bounds, odd: 'refuse' | 'allow' = 'refuse') {
  let nodes = 0;
  let characters = 0;
  const open: Open[] = [];
  const look = (value: unknown, depth: number, place: () => string): string | undefined => {
    nodes += 1;
    if (nodes > bounds.nodes) return `more than ${bounds.nodes} values`;
    if (typeof value === 'string') characters += value.length;
    if (characters > bounds.characters) return `more than ${bounds.characters} characters`;
    if (typeof value === 'object' && value !== null) {
      if (depth > bounds.depth) return `more than ${bounds.depth} levels deep`;
      open.push({ value, depth, place: place() });
      return undefined;
    }
    return isJson(value) || (odd === 'allow' && value === undefined)
      ? undefined
      : `${place() || '/'}: ${String(value).slice(0, 40)} is no JSON value`;
  };
  let words = look(root, 1, () => '');
  for (let next = open.pop(); next && !words; next = open.pop()) {
    const { value, depth, place } = next;
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length && !words; at += 1) {
        words = look(value[at], depth + 1, () => `${place}/${at}`);
      }
      continue;
    }
    for (const key in value) {
      if (!Object.hasOwn(value, key)) continue;
      characters += key.length;
      if (odd === 'refuse' && prototypeKeys.has(key)) {
        words = `${place || '/'}: the key ${key} is not accepted`;
      } else {
        words = look(
          (value as Record<string, unknown>)[key],
          depth + 1,
          () => `${place}/${key.slice(0, 40)}`,
        );
      }
      if (words) break;
    }
  }
  return words;
}

const isJson = (value: unknown): boolean =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
