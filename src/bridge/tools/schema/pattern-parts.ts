// A regular expression as the positions where it reads a character, and which may follow which (Glushkov).

/** Numbers of sample characters that a position reads. */
type Reads = ReadonlySet<string>;

export interface Positions {
  reads: Reads[];
  follows: Set<number>[];
  /** Two ways lead from one position to another inside of a repetition: the count of ways doubles each time round. */
  doubled: boolean;
}

interface Part {
  first: number[];
  last: number[];
  nullable: boolean;
}

const empty: Part = { first: [], last: [], nullable: true };
/** A longer one is not looked into. */
const mostPositions = 300;
/** Counted repetitions up to here are copies; longer ones count as endless, which is the careful reading. */
const mostCopies = 8;

/** Every ASCII character, and some of the others: two classes that meet, meet in one of them or hardly ever. */
const samples = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  ...'\u00a0ßéİЖא漢ー😀\u2028',
];

/** @throws Error in words, where it holds what is not looked into */
export function positionsOf(source: string): Positions {
  const reads: Reads[] = [];
  const follows: Set<number>[] = [];
  const known = new Map<string, Reads>();
  let doubled = false;
  let at = 0;

  const readsOf = (atom: string): Reads => {
    const old = known.get(atom);
    if (old) return old;
    const one = new RegExp(`^(?:${atom})$`, 'u');
    const found = new Set(samples.filter((sample) => one.test(sample)));
    // What is in none of the samples is a character of its own.
    const set = found.size > 0 ? found : new Set([atom]);
    known.set(atom, set);
    return set;
  };
  const position = (atom: string): Part => {
    const id = reads.push(readsOf(atom)) - 1;
    follows.push(new Set());
    if (id >= mostPositions) throw new Error('it is too long to be looked into');
    return { first: [id], last: [id], nullable: false };
  };
  const link = (from: number[], to: number[]) => {
    for (const p of from) for (const q of to) follows[p]?.add(q);
  };
  const joined = (a: Part, b: Part): Part => {
    link(a.last, b.first);
    return {
      first: a.nullable ? [...a.first, ...b.first] : a.first,
      last: b.nullable ? [...a.last, ...b.last] : b.last,
      nullable: a.nullable && b.nullable,
    };
  };
  const looped = (part: Part): Part => {
    for (const p of part.last) for (const q of part.first) if (follows[p]?.has(q)) doubled = true;
    link(part.last, part.first);
    return part;
  };
  const either = (): Part => {
    let all = sequence();
    while (source[at] === '|') {
      at += 1;
      const next = sequence();
      all = {
        first: [...all.first, ...next.first],
        last: [...all.last, ...next.last],
        nullable: all.nullable || next.nullable,
      };
    }
    return all;
  };
  const sequence = (): Part => {
    let all = empty;
    while (at < source.length && source[at] !== '|' && source[at] !== ')') all = joined(all, repeated());
    return all;
  };
  const repeated = (): Part => {
    const start = at;
    const part = atom();
    const end = at;
    const count = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(source.slice(at, at + 40));
    if (!count) return part;
    at += count[0].length;
    const [, low, comma, high] = count;
    const sign = count[0][0];
    const min = low === undefined ? (sign === '+' ? 1 : 0) : Number(low);
    const max =
      low === undefined ? (sign === '?' ? 1 : Infinity) : comma ? (high ? Number(high) : Infinity) : min;
    if (max <= 1) return { ...part, nullable: part.nullable || min === 0 };
    if (max > mostCopies) return { ...looped(part), nullable: part.nullable || min === 0 };
    let all = { ...part, nullable: part.nullable || min === 0 };
    const after = at;
    for (let copy = 1; copy < max; copy += 1) {
      at = start;
      const next = atom();
      all = joined(all, { ...next, nullable: next.nullable || copy >= min });
    }
    if (at !== end && max > 1) throw new Error('it cannot be read');
    at = after;
    return all;
  };
  const atom = (): Part => {
    const rest = source.slice(at, at + 120);
    if (/^(?:[$^]|\\[bB])/.test(rest)) {
      at += rest[0] === '\\' ? 2 : 1;
      return empty;
    }
    if (rest[0] === '(') return group(rest);
    if (/^\\(?:[1-9]|k<)/.test(rest)) throw new Error('it refers back to a group');
    const found =
      rest[0] === '['
        ? classAt()
        : (/^(?:\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|c.|.)|.)/isu.exec(rest)?.[0] ?? '');
    if (!found) throw new Error('it cannot be read');
    at += found.length;
    return position(found);
  };
  const group = (rest: string): Part => {
    const head = /^\((?:\?(?:<?[=!]|:|<[^>]+>|[ims-]+:))?/.exec(rest)?.[0] ?? '(';
    at += head.length;
    const body = either();
    at += 1;
    // A look-around reads nothing of its own; what it holds has been linked, and is judged with the rest.
    return /[=!]$/.test(head) ? empty : body;
  };
  const classAt = (): string => {
    let end = at + 1;
    while (end < source.length && source[end] !== ']') end += source[end] === '\\' ? 2 : 1;
    return source.slice(at, end + 1);
  };

  either();
  return { reads, follows, doubled };
}
