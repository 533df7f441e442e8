// What a program with subcommands may do beyond its words.
import { type Given, readOptions } from './options.ts';
import { type Reach, reachOf } from './reach.ts';
import { suiteGlobals } from './suites.ts';
import { table } from './table.ts';

/** A program whose first words say which of its parts is meant. */
export function suiteReach(name: string, words: readonly Given[]): Reach | undefined {
  let path = name;
  let first: number | undefined;
  for (let at = 1; at < words.length; at += 1) {
    const globals = suiteGlobals.get(path);
    const next = globals ? readOptions(globals, words, at, true)?.rest[0] : at;
    const word = next === undefined ? undefined : words[next]?.text;
    if (next === undefined || word === undefined) return undefined;
    path = `${path}/${word}`;
    at = next;
    first ??= at;
    const manner = table.get(path);
    if (manner && !table.has(`${path}/${words[at + 1]?.text}`)) {
      const reach = reachOf(manner, words, at);
      return reach && { ...reach, at: first };
    }
    if (at > deepest) return undefined;
  }
  return undefined;
}

/** Words up to which a part of a program is looked for. */
const deepest = 8;
