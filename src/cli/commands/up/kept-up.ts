import { getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import { KeptProgram } from '../../../base/process/kept-code.ts';
import { keepYoungSpace } from '../../../base/process/young-space.ts';
import type { UpOptions } from './up-options.ts';

/** Beside dist/cli, where this file is built to. */
const file = join(import.meta.dirname, '../up/up.cjs');

export async function runUp(options: UpOptions): Promise<number> {
  const program = new KeptProgram(getCompileCacheDir());
  const { upProgram } = program.load(file) as typeof import('./up-program.ts');
  // In this order: code that was compiled under other flags is not taken.
  return upProgram(options, () => program.keepLater(keepYoungSpace));
}
