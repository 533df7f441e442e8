import { constants, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { jsonLog, type Log } from '../../base/log.ts';
import { openPrivate } from '../../base/private-file.ts';

/** The log that `docs/reference/config.md` promises. @throws UnsafePathError */
export function fileLog(stateDir: string): Log {
  const path = join(stateDir, 'bridge.log');
  const fd = openPrivate(path, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND);
  const stream = createWriteStream(path, { fd });
  // A log that cannot be written must not end the bridge.
  stream.on('error', () => {});
  return jsonLog({ write: (line) => void stream.write(line), wall: systemClock.wall });
}
