// What of a vault an index does not know yet. Pure.

export interface Differences {
  /** New, or another file than the one that was read. */
  changed: string[];
  /** In the index and no more on the disk. */
  gone: string[];
}

/**
 * @param known what the index was told of each note, by path
 * @param found what the file system says of each now, by path
 */
export function differences(
  known: ReadonlyMap<string, { mark: string }>,
  found: ReadonlyMap<string, { mark: string }>,
): Differences {
  return {
    changed: [...found].filter(([path, { mark }]) => known.get(path)?.mark !== mark).map(([path]) => path),
    gone: [...known.keys()].filter((path) => !found.has(path)),
  };
}
