import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { lookAtDirectory, UnsafePathError } from '../../../base/files/own-path.ts';
import { failed, ok, warning } from '../../../domain/views/check.ts';
import type { Examination } from '../examination.ts';
import { type OpenPath, openPaths } from '../fix/open-paths.ts';
import { firstExisting } from '../settings/first-existing.ts';

const name = 'state';

/** The state directory: ours, closed to others, no link, and writable. */
export const state: Examination = async ({ stateDir }) => {
  try {
    const mode = lookAtDirectory(stateDir);
    const existing = firstExisting(stateDir);
    if (!(await isWritable(existing))) {
      return [
        failed(name, `${existing} cannot be written.`, 'Make it yours, or choose another --state-dir.'),
      ];
    }
    if (mode === undefined) return [ok(name, `State will be kept in ${stateDir}`)];
    const [open, ...more] = openPaths(stateDir);
    if (open === undefined) return [ok(name, `State is kept in ${stateDir}, closed to others.`)];
    return [
      warning(
        name,
        ...openWords(
          open,
          [open, ...more].some(({ isWritable }) => isWritable),
        ),
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

function openWords({ path }: OpenPath, isWritable: boolean): [message: string, suggestion: string] {
  const close = `\`chmod go= ${path}\``;
  return isWritable
    ? [
        `${path} is open to other users of this machine, who could have put something in the state folder.`,
        `Look what is there, then run ${close}; the next \`synthesis up\` does so, too.`,
      ]
    : [
        `${path} can be read by other users of this machine.`,
        `Run \`synthesis doctor --fix\`, or ${close}; the next \`synthesis up\` does so, too.`,
      ];
}
