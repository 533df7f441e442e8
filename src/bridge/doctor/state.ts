import { constants, statSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { failed, ok, warning } from '../../domain/views/check.ts';
import { JournalError } from '../journal/journal-error.ts';
import { lookAtStateDir } from '../journal/state-dir.ts';
import type { Examination } from './examination.ts';
import { firstExisting } from './first-existing.ts';

const name = 'state';

/** The state directory: ours, closed to others, no link, and writable. */
export const state: Examination = async ({ stateDir }) => {
  try {
    const mode = lookAtStateDir(stateDir);
    const existing = firstExisting(stateDir);
    if (!(await isWritable(existing))) {
      return [
        failed(name, `${existing} cannot be written.`, 'Make it yours, or choose another --state-dir.'),
      ];
    }
    if (mode === undefined) return [ok(name, `State will be kept in ${stateDir}`)];
    const open = [stateDir, join(stateDir, 'token')].find(isOpenToOthers);
    if (open === undefined) return [ok(name, `State is kept in ${stateDir}, closed to others.`)];
    return [
      warning(
        name,
        `${open} can be read by other users of this machine.`,
        `Run \`chmod go= ${open}\`; the next \`synthesis up\` does so, too.`,
      ),
    ];
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    const { suggestion } = error;
    return [failed(name, `${error.message}.`, `${suggestion[0]?.toUpperCase()}${suggestion.slice(1)}.`)];
  }
};

const isWritable = (path: string): Promise<boolean> =>
  access(path, constants.W_OK).then(
    () => true,
    () => false,
  );

function isOpenToOthers(path: string): boolean {
  const stats = process.platform === 'win32' ? undefined : statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && (stats.mode & 0o077) !== 0;
}
