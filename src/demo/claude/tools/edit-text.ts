import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Has the user's editor change a text, as Ctrl+G does: a file `claude-prompt-<uuid>.md`, and a command that is taken apart
 * at blanks (measured on 2.1.329).
 */
export function editText(text: string, env: NodeJS.ProcessEnv): string {
  const [command, ...args] = (env.VISUAL ?? env.EDITOR ?? '').split(' ');
  if (!command) return text;
  const dir = mkdtempSync(join(tmpdir(), 'claude-'));
  const file = join(dir, `claude-prompt-${randomUUID()}.md`);
  try {
    writeFileSync(file, text);
    spawnSync(command, [...args, file], { stdio: 'inherit', env });
    return readFileSync(file, 'utf8');
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
