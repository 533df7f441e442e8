import { ok } from '../../../domain/views/check.ts';
import type { Examination } from '../examination.ts';
import { leftovers as found } from '../fix/leftovers.ts';

/** Files of processes that were killed. They do no harm. */
export const leftovers: Examination = async ({ stateDir, running }) => {
  const { length } = running ? [] : found(stateDir);
  if (length === 0) return [];
  const files = length === 1 ? '1 file is' : `${length} files are`;
  return [
    ok(
      'leftovers',
      `${files} left of processes that are gone; they do no harm, and \`synthesis doctor --fix\` takes them away.`,
    ),
  ];
};
