import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadKernel } from '../../../base/process/kernel.ts';
import { authorityLevel, levelWords } from '../../../domain/views/authority-level.ts';

/**
 * Returns what the first start on a state folder says of who may decide there; nothing for later ones.
 * @param isContained nothing of Claude Code ever runs outside
 */
export function firstWords(state: string, isContained: boolean): string[] {
  if (existsSync(join(state, 'journal.db'))) return [];
  const { platform } = process;
  const level = authorityLevel({
    platform,
    hasKernel: loadKernel() !== undefined,
    isRoot: process.getuid?.() === 0,
    isContained,
  });
  return [`${levelWords[level]} See \`synthesis docs security\`.`];
}
