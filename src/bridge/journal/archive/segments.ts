// The folder of the archive. Only names that we gave are looked at, and none of them is followed.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lookAtDirectory } from '../../../base/files/own-path.ts';
import { lookAtFile, syncFolder } from '../../../base/files/private-file.ts';
import { isPartName, readSegmentName, type Segment } from './segment-name.ts';

export const archiveFolder = (stateDir: string): string => join(stateDir, 'archive');

/** Nothing is changed, and no file is opened. */
const namesIn = (dir: string): string[] => (lookAtDirectory(dir) === undefined ? [] : readdirSync(dir));

/**
 * The whole segments, oldest first; none when there is no such folder. What else lies there is left alone.
 * @throws UnsafePathError when the folder, or what has the name of a segment, is a link or somebody else's
 */
export function listSegments(dir: string): Segment[] {
  const found = namesIn(dir).flatMap((name): Segment[] => {
    const named = readSegmentName(name);
    const path = join(dir, name);
    const stats = named && lookAtFile(path);
    return stats ? [{ ...named, path, bytes: stats.size }] : [];
  });
  return found.sort((a, b) => a.first - b.first || a.last - b.last);
}

/** @throws what the file system throws, but not over one that is gone already */
export function removeSegment(dir: string, segment: Segment): void {
  rmSync(segment.path, { force: true });
  syncFolder(dir);
}

/** What a bridge was writing when it was killed. @throws what the file system throws */
export function removeParts(dir: string): void {
  for (const name of namesIn(dir)) if (isPartName(name)) rmSync(join(dir, name), { force: true });
}
