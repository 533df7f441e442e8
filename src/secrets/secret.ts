// What is looked for in a note: something that must not leave it.

/** A stretch of a text, UTF-16 code units. */
export interface Place {
  readonly start: number;
  /** Behind its last unit. */
  readonly end: number;
  /** In words: `GitHub token`. */
  readonly kind: string;
}

export interface Secret extends Place {
  /** That it begins in, from 1. */
  readonly line: number;
}
