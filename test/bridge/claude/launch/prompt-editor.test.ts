import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { promptEditor } from '../../../../src/bridge/claude/launch/prompt-editor.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'editor-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

/** Edits `name` as Claude Code would: the command taken apart at blanks, the file behind it. @returns its content then */
function edit(name: string, own: string): string {
  const editor = promptEditor(dir, own);
  if (!editor) throw new Error('no editor');
  writeFileSync(join(dir, editor.file.name), editor.file.content, { mode: 0o600 });
  const file = join(dir, name);
  writeFileSync(file, 'draft');
  const [command = '', ...args] = editor.env.EDITOR.split(' ');
  expect(spawnSync(command, [...args, file]).status).toBe(0);
  return readFileSync(file, 'utf8');
}

describe('the editor of a Claude Code', () => {
  test('puts a waiting text into its prompt, once', () => {
    writeFileSync(join(dir, 'message.txt'), 'line one\nline two');
    expect(edit('claude-prompt-1.md', 'false')).toBe('line one\nline two');
    expect(existsSync(join(dir, 'message.txt'))).toBe(false);
  });

  test.each([
    ['for another file', 'COMMIT_EDITMSG', true],
    ['for a prompt, when no text waits', 'claude-prompt-1.md', false],
  ])("is the user's own %s, with its options", (_title, name, waits) => {
    if (waits) writeFileSync(join(dir, 'message.txt'), 'not for you');
    expect(edit(name, "sed -i 's/draft/my own/'")).toBe('my own');
  });

  test('is not named where Claude Code would take its name apart', () => {
    expect(promptEditor('/home/some one/state')).toBeUndefined();
    expect(promptEditor("/home/o'neill/state")).toBeUndefined();
  });
});
