// `up` as a program of its own: the built one is loaded beside cli/main.cjs, whose classes are other ones than its own.
import { report } from '../../report.ts';
import { up } from './up.ts';
import type { UpOptions } from './up-options.ts';

/** @param ready called once, when the bridge is @returns the exit code; what it is for was said */
export async function upProgram(options: UpOptions, ready: () => void): Promise<number> {
  try {
    return await up(options, ready);
  } catch (error) {
    return report(error, options.json);
  }
}
