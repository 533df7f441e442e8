// In the built program kept-up.ts stands in for this file: see rolldown.config.ts.
import type { UpOptions } from './up-options.ts';

export async function runUp(options: UpOptions): Promise<number> {
  const { upProgram } = await import('./up-program.ts');
  return upProgram(options, () => {});
}
