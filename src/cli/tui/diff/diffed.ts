/** A line as it is read: every character that cannot be seen is written out. */
export interface DiffRow {
  /** `+`, `-`, blank, `\` for a remark, `@` for a place. */
  mark: string;
  text: string;
}

/** A change, compared. */
export interface Diffed {
  path: string;
  /** What has to be known of it, in words. */
  notes: readonly string[];
  rows: readonly DiffRow[];
}
