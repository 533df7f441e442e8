// A note of memories that has grown long goes on in another one, so that none costs more than another to write or read:
// `House.md`, `House 2.md`, `House 3.md`.
import { sameFileKey } from '../file-name.ts';
import { MemoryError } from '../memory-error.ts';

/** Bytes from which on a note is long. */
export const longNote = 256 * 1024;

const mostParts = 9_999;

export interface Parts {
  /** Names on the disk of those that are there, the first one first. */
  readonly names: readonly string[];
  /** What the next one is called, without `.md`. */
  readonly next: string;
}

/**
 * @param names all in the folder
 * @throws MemoryError when there are more than anybody will read
 */
export function findParts(names: readonly string[], stem: string): Parts {
  const exact = new Set(names);
  const others = new Map(names.map((name) => [sameFileKey(name), name]));
  const found: string[] = [];
  for (let part = 1; part <= mostParts; part += 1) {
    const next = part === 1 ? stem : `${stem} ${part}`;
    const name = exact.has(`${next}.md`) ? `${next}.md` : others.get(sameFileKey(`${next}.md`));
    if (name === undefined) return { names: found, next };
    found.push(name);
  }
  throw MemoryError.invalid('There are too many memories under this topic.', 'Choose another topic.');
}
