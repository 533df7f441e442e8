import { getCompileCacheDir } from 'node:module';
import { fileURLToPath } from 'node:url';
import { KeptProgram } from '../../../base/kept-code.ts';
import type { UpOptions } from './up-options.ts';

/** Until a bridge has done what belongs to its start, milliseconds. V8 forgets later what only that needed. */
const startMs = 2_000;

/** Beside dist/chunks, where this file is built to. */
const file = fileURLToPath(new URL('../up/up.cjs', import.meta.url));

export async function runUp(options: UpOptions): Promise<number> {
  const program = new KeptProgram(getCompileCacheDir());
  const { upProgram } = program.load(file) as typeof import('./up-program.ts');
  return upProgram(options, () => {
    const keep = () => program.keep();
    setTimeout(keep, startMs).unref();
    process.once('exit', keep);
  });
}
