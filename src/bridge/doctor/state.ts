import { constants, statSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { lookAtDirectory, UnsafePathError } from '../../base/own-path.ts';
import { lookAtFile } from '../../base/private-file.ts';
import { failed, ok, warning } from '../../domain/views/check.ts';
import { stateFiles, stateFolders } from '../state-files.ts';
import type { Examination } from './examination.ts';
import { firstExisting } from './first-existing.ts';

const name = 'state';

/** The state directory: ours, closed to others, no link, and writable. */
export const state: Examination = async ({ stateDir }) => {
  const at = (each: string) => join(stateDir, each);
  try {
    const mode = lookAtDirectory(stateDir);
    const existing = firstExisting(stateDir);
    if (!(await isWritable(existing))) {
      return [
        failed(name, `${existing} cannot be written.`, 'Make it yours, or choose another --state-dir.'),
      ];
    }
    if (mode === undefined) return [ok(name, `State will be kept in ${stateDir}`)];
    const paths = { files: stateFiles.map(at), folders: stateFolders.map(at) };
    for (const folder of paths.folders) lookAtDirectory(folder);
    for (const file of paths.files) lookAtFile(file);
    const open = [stateDir, ...paths.files, ...paths.folders].find(isOpenToOthers);
    if (open === undefined) return [ok(name, `State is kept in ${stateDir}, closed to others.`)];
    return [
      warning(
        name,
        `${open} can be read by other users of this machine.`,
        `Run \`chmod go= ${open}\`; the next \`synthesis up\` does so, too.`,
      ),
    ];
  } catch (error) {
    if (!(error instanceof UnsafePathError)) throw error;
    return [failed(name, error.message, error.suggestion)];
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
