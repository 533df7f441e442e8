export interface PolicyField {
  /** `edits[2].path` */
  field: string;
  /** `command`, `path`, …, in words. */
  meaning: string;
  /** Number of a rule that allows and covers it, from 1. */
  rule: number | null;
  /** Why none does. */
  why: string | null;
}
