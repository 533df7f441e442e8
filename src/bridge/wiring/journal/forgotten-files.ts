// What a conversation left in the state folder: pictures that people sent, what its Claude remembers, and what its
// Claude Code was started with.
import { lstatSync, readdirSync, rmSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lookAtDirectory } from '../../../base/files/own-path.ts';
import type { Log } from '../../../base/log.ts';
import { isSafeSocket } from '../../../base/net/socket-path.ts';
import type { Forgetting } from '../../../protocol/events/compaction-events.ts';
import { memoryFolder } from '../../claude/launch/memory-folder.ts';
import { sessionDir } from '../../claude/launch/session-files.ts';
import { mediaFolder } from '../../media-store.ts';
import { hostFileIn } from '../../terminal/host-folders.ts';

/** Nothing of it runs any more. What cannot be deleted is logged: it must not keep the text from being forgotten. */
export function deleteFiles(stateDir: string, log: Log, { session, at, reused }: Forgetting): void {
  const folders = [mediaFolder(session), memoryFolder(session)].map((name) => join(stateDir, name));
  try {
    for (const dir of folders)
      if (reused) deleteOlder(dir, at);
      else deleteFolder(dir);
    if (!reused) deleteFolder(sessionDir(stateDir, session));
  } catch (error) {
    log.warn('files of a removed session could not be deleted', { session, error });
  }
}

/** A host that is still there ends when its folder goes. */
export function deleteFolder(dir: string): void {
  if (!isThere(dir)) return;
  deleteSocket(hostFileIn(dir)?.socket);
  rmSync(dir, { recursive: true, force: true });
}

/** A host that was killed leaves its socket, and where the path of its folder is long that lies elsewhere. */
function deleteSocket(path: string | undefined): void {
  try {
    if (path !== undefined && isSafeSocket(path)) unlinkSync(path);
  } catch {
    // Somebody else may have made it, or it went meanwhile.
  }
}

/** The time of a file lags behind the clock by as much. */
const coarseMs = 20;

/** A picture that comes again is written again, and so is what is remembered. */
function deleteOlder(dir: string, at: number): void {
  for (const name of isThere(dir) ? readdirSync(dir) : []) {
    const path = join(dir, name);
    if (lstatSync(path).mtimeMs < at - coarseMs) rmSync(path, { recursive: true, force: true });
  }
}

const isThere = (dir: string): boolean =>
  lookAtDirectory(dirname(dir)) !== undefined && lookAtDirectory(dir) !== undefined;
