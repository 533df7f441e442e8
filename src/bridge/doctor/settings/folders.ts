import { ok } from '../../../domain/views/check.ts';
import { ownFiles } from '../../own-files.ts';
import { toCheck } from '../../setup/finding.ts';
import { exposureFindings, judged } from '../../setup/folders.ts';
import type { Examination } from '../examination.ts';
import { placesHere } from './work-folders.ts';

/** Sessions need a folder to work in, and not where the bridge keeps its own files. */
export const folders: Examination = async ({ config, configFile, stateDir, env }) => {
  const { sound, faults } = await judged(placesHere(config));
  const found = [...faults, ...exposureFindings(sound, ownFiles(stateDir, configFile, config, env))];
  if (found.length > 0) return found.map(toCheck);
  return [ok('folders', "The folders that sessions work in are there, apart from the bridge's own files.")];
};
