import { getCompileCacheDir } from 'node:module';
import { fileURLToPath } from 'node:url';
import { KeptProgram } from '../base/process/kept-code.ts';

/** The bridge of `up`: there is no other in the built program. */
export const loadBridge = async () => {
  const file = fileURLToPath(new URL('../up/bridge.cjs', import.meta.url));
  return new KeptProgram(getCompileCacheDir()).load(file) as typeof import('../bridge/main.ts');
};
