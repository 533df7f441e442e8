import type { Log } from '../../base/log.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { HostFile } from '../../protocol/wire/host.ts';
import { Hosted } from './hosted.ts';
import { killHost } from './kill-host.ts';

/**
 * Becomes the owner of a host that outlived the bridge before. One that cannot be talked to is ended, and its Claude Code
 * with it: nobody else will, and it must not go on beside a new one.
 * @returns undefined when it was ended
 */
export async function takeHost(file: HostFile, clock: Clock, log: Log): Promise<Hosted | undefined> {
  const { pid, socket } = file;
  try {
    return await Hosted.at(socket, file, clock);
  } catch (error) {
    log.warn('a host of an earlier start cannot be reached, and is ended', { pid, error });
    killHost(file);
    return undefined;
  }
}
