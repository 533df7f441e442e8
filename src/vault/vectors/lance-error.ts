// What LanceDB says when something fails: text with places in its source and on this machine, which stays a cause.
import { getSystemErrorName } from 'node:util';
import { StoreDamage } from './vector-store.ts';

/** Of the system, and not of what the files hold: rights, memory, open files, room on the disk. */
const ofTheSystem = new Set(['EACCES', 'EPERM', 'ENOMEM', 'EMFILE', 'ENFILE', 'ENOSPC', 'EDQUOT', 'EROFS']);

/** @returns StoreDamage, unless the system is at fault or others write too much; one of ours as it is */
export function lanceError(error: unknown): Error {
  if (error instanceof StoreDamage) return error;
  const code = systemCodeOf(error);
  if (code !== undefined && ofTheSystem.has(code))
    return Object.assign(new Error(`the files of vectors cannot be used (${code})`, { cause: error }), {
      code,
    });
  if (isConflict(error)) return new Error('others write too many vectors at the same time', { cause: error });
  return new StoreDamage('the files of vectors are damaged', { cause: error });
}

/** Others wrote meanwhile, and nothing was changed. */
export const isConflict = (error: unknown): boolean =>
  error instanceof Error && /conflict|concurrent/i.test(error.message);

function systemCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const number = /\(os error (\d+)\)/.exec(error.message)?.[1];
  if (number !== undefined) return getSystemErrorName(-Number(number));
  return 'code' in error ? String(error.code) : undefined;
}
