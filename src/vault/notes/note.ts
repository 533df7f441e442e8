// What is known of a note when it has been read.

/** A part of a note that is found as one. */
export interface Chunk {
  /** That it begins in, from 1, counted in the file. */
  readonly line: number;
  /** Of its first line: headings above it and its own one, `Title › Section › Sub`; empty before the first. */
  readonly heading: string;
  /** Its lines as they are, headings too, from its first one that is not blank to its last one. */
  readonly text: string;
}

export interface Note {
  readonly title: string;
  /** Without `#`; of the frontmatter first. */
  readonly tags: readonly string[];
  /** What `[[…]]` leads to, without `#heading` and `|alias`. */
  readonly links: readonly string[];
  /** Other titles. */
  readonly aliases: readonly string[];
  /** In their order. Each line that is not blank is in exactly one. */
  readonly chunks: readonly Chunk[];
}
