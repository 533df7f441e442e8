// What a run of the tests saw, line by line as it happens: a run that is stopped at its limit leaves what came before.

/** Paths are relative to the project; errors are the texts that vitest shows, empty where there are none. */
export type Line =
  | { type: 'begun'; file: string }
  | {
      type: 'test';
      file: string;
      /** One of vitest.config.ts. */
      project: string;
      /** The same in every run of the same file. */
      id: string;
      /** With the names of the blocks around it: `block > test`. */
      name: string;
      state: 'passed' | 'failed' | 'skipped';
      errors: string[];
    }
  /** `errors` are those outside of its tests: of its imports and of the hooks of the file or a block. */
  | { type: 'ended'; file: string; project: string; errors: string[] }
  /** Errors that no file was held responsible for, such as a rejection that nobody handled. */
  | { type: 'stray'; errors: string[] };

export function readRecord(text: string): Line[] {
  // The last line of a run that was killed may be half a line.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}
