import type { Log } from '../../base/log.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { HostFile } from '../../protocol/wire/host.ts';
import { Hosted } from './hosted.ts';
import { killHost } from './kill-host.ts';

/**
 * Becomes the owner of a host that outlived the bridge before. One that cannot be talked to is ended, and its Claude Code
 * with it: nobody else will, and it must not go on beside a new one. So is one that does not prove that it is of this state
 * folder, as one of an older release.
 * @param secret undefined where there is none (any more) @returns undefined when it was ended
 */
export async function takeHost(
  file: HostFile,
  secret: string | undefined,
  clock: Clock,
  log: Log,
): Promise<Hosted | undefined> {
  const { pid, run, socket } = file;
  try {
    if (secret === undefined) throw new Error('the secret of its state folder is gone');
    return await Hosted.at({ run, socket, secret }, file, clock);
  } catch (error) {
    log.warn('a host of an earlier start cannot be reached, and is ended', { pid, error });
    killHost(file);
    return undefined;
  }
}
