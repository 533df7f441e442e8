import { basename } from 'node:path';
import { JournalError } from '../journal-error.ts';
import { readSegmentName } from './segment-name.ts';

const titleOf = (path: string) => {
  const named = readSegmentName(path);
  return named ? `segment ${named.first}-${named.last}` : `segment ${basename(path)}`;
};

/** A segment is not as it was written. What was read of it before is not proven either. */
export class SegmentDamagedError extends JournalError {
  readonly path: string;
  /** What is wrong with it, without its name. */
  readonly why: string;

  constructor(path: string, why: string, cause?: unknown) {
    const suggestion = `put the file ${basename(path)} of a backup in its place`;
    super('segment_damaged', `${titleOf(path)} is damaged: ${why}`, suggestion, cause);
    this.path = path;
    this.why = why;
  }
}
