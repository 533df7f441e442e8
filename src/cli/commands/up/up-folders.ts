import type { Config } from '../../../protocol/settings/config.ts';
import { CliError } from '../../cli-error.ts';

/**
 * A bridge whose sessions all have no folder would answer nobody. Where some have one it starts, and says what is wrong
 * with the others.
 * @param cwd of sessions whose profile names none
 * @returns as soon as the disks are asked; `found` rejects with a CliError `no_folder`
 */
export async function askForFolders(config: Config, cwd: string): Promise<{ found: Promise<void> }> {
  const [{ judged }, { workPlaces }] = await Promise.all([
    import('../../../bridge/setup/folders.ts'),
    import('../../../bridge/setup/work-places.ts'),
  ]);
  const found = judged(workPlaces(config, cwd)).then(({ sound, faults }) => {
    const [first] = faults;
    if (!first || sound.length > 0) return;
    throw new CliError('usage', 'no_folder', `${first.message} Nothing was started.`, first.suggestion ?? '');
  });
  // Whoever asks may look at it a little later.
  found.catch(() => {});
  return { found };
}
