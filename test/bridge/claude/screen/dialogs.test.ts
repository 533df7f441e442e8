import { describe, expect, test } from 'vitest';
import { knownDialogs } from '../../../../src/bridge/claude/screen/dialog-table.ts';
import {
  type Dialog,
  dialogOn,
  knownDialog,
  mayConfirm,
} from '../../../../src/bridge/claude/screen/dialogs.ts';

const hint = ' Enter to confirm · Esc to cancel';
const screens: Record<string, { rows: string[]; failure: string }> = {
  trust: {
    rows: [' Accessing workspace:', ' /home/u/x', ' ❯ No, exit', '   Yes, I trust this folder', hint],
    failure: 'folder_untrusted',
  },
  api_key: {
    rows: ['  Detected a custom API key in your environment', '    Yes', '  ❯ No (recommended)', hint],
    failure: 'start_dialog',
  },
  onboarding: { rows: ['Welcome', " Let's get started.", ' ❯ ✔ Dark mode'], failure: 'claude_signed_out' },
  bypass: {
    rows: [
      ' WARNING: Claude Code running in Bypass Permissions mode',
      ' ❯ 1. No, exit',
      '   2. Yes, I accept',
    ],
    failure: 'start_dialog',
  },
  project_mcp: {
    rows: [
      '  New MCP server found in this project: other',
      '  ❯ Continue without using this MCP server',
      hint,
    ],
    failure: 'start_dialog',
  },
  settings_error: {
    rows: [' Settings Error', ' ❯ 1. Fix with Claude', '   2. Exit'],
    failure: 'start_dialog',
  },
  resume_choice: {
    rows: [' ❯ 1. Resume from summary', '   2. Resume full session as-is'],
    failure: 'start_dialog',
  },
  development_channels: {
    rows: [
      ' WARNING: Loading development channels',
      ' Channels: server:synthesis',
      ' ❯ 1. I am using this for local development',
      '   2. Exit',
      hint,
    ],
    failure: 'start_dialog',
  },
};

describe('known dialogs', () => {
  test('every dialog of the table has a screen here', () => {
    expect(Object.keys(screens).sort()).toEqual(knownDialogs.map(({ id }) => id).sort());
  });
  test.each(Object.entries(screens))('%s is recognised and says what to do', (id, { rows, failure }) => {
    const dialog = knownDialog(rows);
    expect(dialog).toMatchObject({ id, failure });
    expect(dialog?.words).toMatch(/\.$/);
  });
});

test('a menu that nobody knows is unknown, an ordinary screen is none', () => {
  expect(dialogOn([' Something new?', ' ❯ 1. Sure', '   2. Never', hint], undefined)?.id).toBe('unknown');
  expect(dialogOn(['● hello', 'starting…'], undefined)).toBeUndefined();
});

test.each(['←/→ to switch · Esc to close', 'Press esc to go back', 'Esc to skip for now'])(
  'a panel without a choice is unknown: %s',
  (keys) => {
    expect(dialogOn(['  Settings  Status   Usage', '  Version: 2.1.332', '', keys], undefined)?.id).toBe(
      'unknown',
    );
  },
);

test('work that can be interrupted is none', () => {
  expect(dialogOn(['✻ Working… (esc to interrupt and say more)'], undefined)).toBeUndefined();
});

describe('Enter', () => {
  const channels = screens.development_channels?.rows ?? [];
  const dialog = knownDialog(channels) as Dialog;

  test('is pressed on the development channels dialog, with consent', () => {
    expect(mayConfirm(dialog, channels, true)).toBe(true);
  });
  test('is not pressed without consent', () => expect(mayConfirm(dialog, channels, false)).toBe(false));
  test('is not pressed when another option is chosen', () => {
    const rows = channels.map((row) =>
      row.includes('❯') ? row.replace('❯', ' ') : row.replace('  2', '❯ 2'),
    );
    expect(rows.join()).toContain('❯ 2. Exit');
    expect(mayConfirm(dialog, rows, true)).toBe(false);
  });
  test.each(['server:other', 'server:synthesis, server:other', 'server:synthesis-2'])(
    'is not pressed when the dialog is about %s',
    (name) => {
      const rows = channels.map((row) => row.replace('server:synthesis', name));
      expect(mayConfirm(dialog, rows, true)).toBe(false);
    },
  );
  test.each(Object.entries(screens).filter(([id]) => id !== 'development_channels'))(
    'is never pressed on %s',
    (_id, { rows }) => expect(mayConfirm(knownDialog(rows) as Dialog, rows, true)).toBe(false),
  );
});
