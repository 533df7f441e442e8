import { getCompileCacheDir } from 'node:module';
import { fileURLToPath } from 'node:url';
import { KeptProgram } from '../../../base/process/kept-code.ts';
import { keepYoungSpace } from '../../../base/process/young-space.ts';
import type { UpOptions } from './up-options.ts';

/** Beside dist/chunks, where this file is built to. */
const file = fileURLToPath(new URL('../up/up.cjs', import.meta.url));

export async function runUp(options: UpOptions): Promise<number> {
  const program = new KeptProgram(getCompileCacheDir());
  const { upProgram } = program.load(file) as typeof import('./up-program.ts');
  // In this order: code that was compiled under other flags is not taken.
  return upProgram(options, () => program.keepLater(keepYoungSpace));
}
