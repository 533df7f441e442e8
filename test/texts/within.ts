import { Script } from 'node:vm';

/** Where the running work is found: a script knows only what is global. */
const slot = Symbol.for('synthesis.test.work');
const script = new Script(`globalThis[Symbol.for('synthesis.test.work')]()`);

/**
 * Runs `work` and breaks it off after `ms` milliseconds, in the midst of a regular expression, too: what would take
 * minutes fails now. A limit against hanging, not a measure.
 *
 * @throws Error with the code `ERR_SCRIPT_EXECUTION_TIMEOUT`
 */
export function within(ms: number, work: () => void): void {
  Object.assign(globalThis, { [slot]: work });
  script.runInThisContext({ timeout: ms });
}
