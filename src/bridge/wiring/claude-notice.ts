import { findExecutable } from '../claude/launch/find-executable.ts';
import { claudeCommand } from '../claude-command.ts';

/** What the operator has to know before the first message comes; empty when there is a Claude Code to start. */
export function claudeNotice(claude: string, path: string | undefined): string[] {
  const [name = claude] = claudeCommand(claude);
  if (findExecutable(name, path)) return [];
  return [
    `"${name}" was not found: no message can be answered until Claude Code is installed, or named with --claude.`,
  ];
}
