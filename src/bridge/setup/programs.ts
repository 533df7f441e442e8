import { existsSync } from 'node:fs';
import { type Check, failed, warning } from '../../domain/views/check.ts';
import type { Config } from '../../protocol/settings/config.ts';
import { findExecutable } from '../claude/launch/find-executable.ts';
import { claudeCommand } from '../claude-command.ts';
import { type Finding, later } from './finding.ts';

/** A bare name may be installed later, or stand on another PATH than this one. */
const mayCome = (program: string): boolean => !program.includes('/');

/** Whether there is a Claude Code to start; what it is, only a call tells. */
export function claudeFindings(claude: string, path: string | undefined): Finding[] {
  const command = claudeCommand(claude);
  const [program = claude] = command;
  const isThere = findExecutable(program, path) !== undefined && (command.length === 1 || existsSync(claude));
  return isThere ? [] : [later(claudeNotFound(claude), mayCome(claude))];
}

export const claudeNotFound = (claude: string): Check =>
  failed(
    'claude',
    `"${claude}" was not found.`,
    'Install Claude Code, or name its executable with `synthesis config set claude <path>`.',
  );

/** The commands of the journal's key and of its anchors. */
export function auditFindings(
  { keyCommand, anchorCommand }: Config['audit'],
  path: string | undefined,
): Finding[] {
  const missing = (command: readonly string[] | undefined): string[] => {
    const [program] = command ?? [];
    return program === undefined || findExecutable(program, path) !== undefined ? [] : [program];
  };
  const correct = (setting: string) =>
    `Install it, or correct \`${setting}\`: \`synthesis config set ${setting} '["<program>"]'\`.`;
  return [
    ...missing(keyCommand).map((program) =>
      later(
        failed(
          'audit',
          `"${program}" (\`audit.keyCommand\`) was not found: no bridge starts without the key.`,
          correct('audit.keyCommand'),
        ),
        mayCome(program),
      ),
    ),
    ...missing(anchorCommand).map((program) =>
      warning(
        'audit',
        `"${program}" (\`audit.anchorCommand\`) was not found: no anchor is kept elsewhere.`,
        correct('audit.anchorCommand'),
      ),
    ),
  ];
}
