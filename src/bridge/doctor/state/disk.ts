import { statfs } from 'node:fs/promises';
import { ok, warning } from '../../../domain/views/check.ts';
import type { Examination } from '../examination.ts';
import { firstExisting } from '../settings/first-existing.ts';

/** Free space below which the journal might not fit, bytes. */
const leastSpace = 200 * 1024 * 1024;

export const disk: Examination = async ({ stateDir }) => {
  const { bavail, bsize } = await statfs(firstExisting(stateDir));
  const megabytes = `${Math.round((bavail * bsize) / 1024 / 1024)} MB free`;
  if (bavail * bsize >= leastSpace) return [ok('disk', `${megabytes} for the journal`)];
  const remedy = 'Make room on that disk: when it is full, no message is accepted.';
  return [warning('disk', `Only ${megabytes} for the journal.`, remedy)];
};
