import { join } from 'node:path';
import { jsonLog, type Log } from '../../../base/log.ts';
import { type Clock, systemClock } from '../../../base/time/clock.ts';
import type { Config } from '../../../protocol/settings/config.ts';
import { LogFile } from './log-file.ts';

export interface FileLog {
  log: Log;
  /** Waits for the last lines, half a second at most. Idempotent. */
  close(): Promise<void>;
}

/** The log that `docs/reference/config.md` promises. @throws UnsafePathError, or what the file system throws */
/** @param hide leaves the secrets of the bridge out of a line */
export function fileLog(
  stateDir: string,
  config: Config['log'],
  hide: (line: string) => string = (line) => line,
  clock: Clock = systemClock,
): FileLog {
  const { level, texts, bytes, files } = config;
  const { wall } = clock;
  const missing = (lines: number, code: string): string => {
    const message = 'lines are missing here: they could not be written';
    return `${JSON.stringify({ time: new Date(wall()).toISOString(), level: 'error', message, lines, code: code || 'slow' })}\n`;
  };
  const file = new LogFile({ path: join(stateDir, 'bridge.log'), bytes, files, clock, missing });
  const log = jsonLog({ write: (line) => file.write(hide(line)), level, texts, wall });
  return { log, close: () => file.close() };
}
