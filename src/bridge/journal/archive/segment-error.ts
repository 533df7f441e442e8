import { basename } from 'node:path';
import { readSegmentName } from './segment-name.ts';

const titleOf = (path: string) => {
  const named = readSegmentName(path);
  return named ? `segment ${named.first}-${named.last}` : `segment ${basename(path)}`;
};

/** A segment is not as it was written. What was read of it before is not proven either. */
export class SegmentDamagedError extends Error {
  readonly code = 'segment_damaged';
  readonly path: string;
  /** What is wrong with it, without its name. */
  readonly why: string;
  readonly suggestion: string;

  constructor(path: string, why: string, cause?: unknown) {
    super(`${titleOf(path)} is damaged: ${why}`, { cause });
    this.name = 'SegmentDamagedError';
    this.path = path;
    this.why = why;
    this.suggestion = `put the file ${basename(path)} of a backup in its place`;
  }
}
