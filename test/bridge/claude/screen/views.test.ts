import { expect, test } from 'vitest';
import { dialogOn, knownDialog } from '../../../../src/bridge/claude/screen/dialogs.ts';
import { viewOn } from '../../../../src/bridge/claude/screen/views.ts';

const rule = '─'.repeat(60);
const transcript = '  Showing detailed transcript · ctrl+o to toggle · ↑/↓ to scroll · v to open in vi';
const history = '  ↑/↓ to navigate · ctrl+s to change scope · Enter to use · Esc to cancel';

test('views of Claude Code are known by their last row', () => {
  expect(viewOn(['❯ hello', '● hello', '', rule, transcript, ''])?.id).toBe('transcript');
  // Wrapped by a narrow terminal.
  expect(viewOn([rule, transcript.slice(0, 40), transcript.slice(40)])?.id).toBe('transcript');
  expect(viewOn(['Search prompts · everywhere', '╰───╯', history])?.id).toBe('history');
});

test('what Claude has written is none', () => {
  expect(viewOn(['● You see:', transcript, '', rule, '❯ ', rule, '  ? for shortcuts'])).toBeUndefined();
  expect(viewOn([rule, ' Bash command', transcript, ' ❯ 1. Yes', '   2. No'])).toBeUndefined();
  expect(viewOn([history, rule, ' ❯ 1. Yes', '   2. No'])).toBeUndefined();
  expect(viewOn([])).toBeUndefined();
});

test('a dialog that the transcript quotes is none', () => {
  const rows = [' ❯ 1. Yes, I trust this folder', '   2. No, exit', rule, transcript];
  expect(dialogOn(rows, knownDialog(rows))).toBeUndefined();
  expect(dialogOn(rows.slice(0, 2), knownDialog(rows))?.id).toBe('trust');
});
