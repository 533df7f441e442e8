import { resolve } from 'node:path';
import { ok, warning } from '../../domain/views/check.ts';
import { exposureAdvice, exposures, ownFiles } from '../own-files.ts';
import { launchFolders } from '../profiles.ts';
import type { Examination } from './examination.ts';

const name = 'folders';

/** Sessions must not work where the bridge keeps its own files. */
export const folders: Examination = async ({ config, configFile, stateDir, env }) => {
  const own = ownFiles(stateDir, configFile, config, env);
  const found = exposures(launchFolders({ ...config, cwd: resolve(config.cwd ?? '.') }), own);
  if (found.length === 0) return [ok(name, "Sessions work apart from the bridge's own files.")];
  return found.map((each) => warning(name, `${each}.`, exposureAdvice));
};
