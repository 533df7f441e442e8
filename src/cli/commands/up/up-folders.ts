import type { Config } from '../../../protocol/settings/config.ts';
import { CliError } from '../../cli-error.ts';

/**
 * A bridge whose sessions all have no folder would answer nobody. Where some have one it starts, and says what is wrong
 * with the others.
 * @param cwd of sessions whose profile names none
 * @throws CliError `no_folder`
 */
export async function requireSomeFolder(config: Config, cwd: string): Promise<void> {
  const [{ judged }, { workPlaces }] = await Promise.all([
    import('../../../bridge/setup/folders.ts'),
    import('../../../bridge/setup/work-places.ts'),
  ]);
  const { sound, faults } = await judged(workPlaces(config, cwd));
  const [first] = faults;
  if (!first || sound.length > 0) return;
  throw new CliError('usage', 'no_folder', `${first.message} Nothing was started.`, first.suggestion ?? '');
}
