// What a field of a tool's input means for the one who reads the rules.

/**
 * - `command`: a shell runs it. `code`: an interpreter, or a running program, gets it.
 * - `path`: a file or folder. `folder`: also decides where a command runs. `glob`: a path with patterns.
 *   `patch`: names files in its text.
 * - `url`: an address. `media`: a file or an address.
 * - `text`: words that the tool is known to do nothing with but keep, send or compare. `words`: the same by the
 *   schema of a tool that nobody here knows. `flag`: a number, a yes or no, one word.
 * - `power`: changes what runs, where, for whom or as whom.
 */
export type Meaning =
  | 'command'
  | 'code'
  | 'path'
  | 'folder'
  | 'glob'
  | 'patch'
  | 'url'
  | 'media'
  | 'text'
  | 'words'
  | 'flag'
  | 'power'
  | 'unknown';

/** One value of an input that is no object and no list. */
export interface Field {
  /** `edits[2].path` */
  at: string;
  /** What it may mean, for a rule that restricts. */
  meaning: Meaning;
  /** The tool is known to read it as what it means, so that a rule may allow it. */
  understood: boolean;
  value: unknown;
  /** The list that it is in, if it is in one. */
  list?: string | undefined;
}

export interface Reading {
  fields: readonly Field[];
  /** False: there is more than was looked at. */
  whole: boolean;
}
