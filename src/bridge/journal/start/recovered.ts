/** The journal on disk was damaged; the bridge goes on with the part in front of the damage. */
export interface Recovered {
  /** Rows 1…kept are intact and in use. */
  kept: number;
  /** Rows that had been written and are gone. */
  lost: number | 'unknown';
  /** Where the damaged database was put; its log and head file lie beside it as `<file>-wal`, `<file>-head`. */
  file: string;
  /** What was wrong, e.g. `row 17 does not match its hash`. */
  why: string;
}

/** One sentence for the operator. */
export function recoveredWords({ kept, lost, file, why }: Recovered): string {
  const gone =
    lost === 'unknown' ? 'an unknown number of rows is' : `${lost} ${lost === 1 ? 'row is' : 'rows are'}`;
  return `the journal was damaged (${why}): ${kept} rows were kept, ${gone} gone; the damaged file is ${file}`;
}
