/** What the journal holds. The stable `--json` shape of `synthesis journal stats`. */
export interface JournalStats {
  /** Rows that a start reads, and where they begin and end; `first` > `last` for none. */
  rows: number;
  first: number;
  last: number;
  /** Of the database, as far as its pages hold something. */
  bytes: number;
  archive: {
    segments: number;
    /** The oldest row that is kept; null when there are none. */
    first: number | null;
    rows: number;
    /** Of the compressed files. */
    bytes: number;
  };
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);

/** @param origin seq of the last row that is in the archive alone */
export function journalStats(
  live: { origin: number; last: number; bytes: number },
  segments: readonly { first: number; last: number; bytes: number }[],
): JournalStats {
  const { origin, last, bytes } = live;
  return {
    rows: last - origin,
    first: origin + 1,
    last,
    bytes,
    archive: {
      segments: segments.length,
      first: segments[0]?.first ?? null,
      rows: sum(segments.map((each) => each.last - each.first + 1)),
      bytes: sum(segments.map((each) => each.bytes)),
    },
  };
}
