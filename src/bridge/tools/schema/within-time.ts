import { Script } from 'node:vm';

/** Where the running work is found: a script knows only what is global. */
const slot = Symbol.for('synthesis.tools.work');
const script = new Script(`globalThis[Symbol.for('synthesis.tools.work')]()`);

/** Times that work is begun again, if the machine and not the work took the time. */
const tries = 4;

/**
 * Runs `work` and breaks it off after `ms` milliseconds, in the midst of a regular expression, too. A limit that holds
 * by itself: no list of slow keywords and patterns is ever complete.
 *
 * @param work without effects, as it may be begun again
 * @returns undefined if it was broken off, or threw
 */
export function withinTime<T>(ms: number, work: () => T): { value: T } | undefined {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const before = process.threadCpuUsage();
    try {
      Object.assign(globalThis, { [slot]: work });
      return { value: script.runInThisContext({ timeout: ms }) as T };
    } catch (error) {
      const { user, system } = process.threadCpuUsage(before);
      const timedOut =
        error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
      // A busy machine let it wait: that is nothing to refuse arguments for.
      if (!timedOut || user + system > ms * 500) return undefined;
    } finally {
      Reflect.deleteProperty(globalThis, slot);
    }
  }
  return undefined;
}
