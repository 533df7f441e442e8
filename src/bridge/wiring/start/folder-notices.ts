import type { Session } from '../../../domain/session.ts';
import type { Config } from '../../../protocol/config.ts';
import { exposureAdvice, exposures, type OwnFiles } from '../../own-files.ts';
import { launchFolders } from '../../profiles.ts';

/** What the operator has to know of the folders that sessions work in; those that are open may have been made with other settings. */
export function folderNotices(
  config: Config & { cwd: string },
  sessions: readonly Session[],
  own: OwnFiles,
): string[] {
  const opened = sessions.flatMap(({ claude }) => claude?.launch.cwd ?? []);
  return exposures([...launchFolders(config), ...opened], own).map((each) => `${each}. ${exposureAdvice}`);
}
