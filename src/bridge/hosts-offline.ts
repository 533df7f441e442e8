// Claude Codes whose bridge is gone, or cannot be asked.
import { join } from 'node:path';
import { silentLog } from '../base/log.ts';
import { systemClock } from '../base/time/clock.ts';
import { readHostSecret } from './state-files.ts';
import { hostFolders } from './terminal/host-folders.ts';

/**
 * Ends every Claude Code of this state directory with its host. A bridge that has them loses them.
 * @returns how many there were
 */
export async function endHosts(stateDir: string): Promise<number> {
  const folders = hostFolders(join(stateDir, 'sessions'));
  if (folders.length === 0) return 0;
  const { takeHost } = await import('./terminal/take-host.ts');
  const secret = readHostSecret(stateDir);
  const end = async ({ file }: (typeof folders)[number]) => {
    const host = await takeHost(file, secret, systemClock, silentLog);
    await host?.quit();
  };
  await Promise.all(folders.map(end));
  return folders.length;
}
