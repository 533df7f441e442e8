// On a disk that does not tell `a` from `A`, or accents written apart from those written together, a file has one name
// nevertheless. Settings speak of that one: another would get around what they exclude.

/** What tells files of a disk from each other. */
interface Identity {
  readonly ino: number;
  readonly dev: number;
}

/**
 * Whether the name of a file is written so on the disk. Names are read only where the same file answers to another
 * spelling, and on Windows, where it may have a short name besides.
 * @param own what answers to it
 * @param look finds what answers to a name in the folder
 * @param names all in the folder
 */
export function isWrittenSo(
  part: string,
  own: Identity,
  look: (name: string) => Identity | undefined,
  names: () => readonly string[],
): boolean {
  const isOwn = (found: Identity | undefined) => found?.ino === own.ino && found.dev === own.dev;
  const isFolded = process.platform === 'win32' || spellings(part).some((other) => isOwn(look(other)));
  return !isFolded || names().includes(part);
}

/** One with another case, one with accents written apart or together. */
function spellings(part: string): string[] {
  const upper = part.toUpperCase();
  const others = [upper === part ? part.toLowerCase() : upper, part.normalize('NFC'), part.normalize('NFD')];
  return [...new Set(others)].filter((other) => other !== part);
}
