import { ok, warning } from '../../../domain/views/check.ts';
import { judged } from '../../setup/folders.ts';
import { trustFindings } from '../../setup/trust.ts';
import type { Examination } from '../examination.ts';
import { placesHere } from '../settings/work-folders.ts';

const name = 'first-run';

/** What Claude Code asks a person once before it works. */
export const firstRun: Examination = async ({ config, env }) => {
  const { sound } = await judged(placesHere(config));
  const found = await trustFindings(sound, env);
  if (!found) {
    const remedy = 'Run `claude` once and answer what it asks.';
    return [warning(name, 'Claude Code was never set up for this user.', remedy)];
  }
  if (found.length > 0) return found;
  return [ok(name, 'Claude Code is set up and trusts the folders that sessions work in.')];
};
