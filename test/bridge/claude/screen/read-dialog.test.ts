import { describe, expect, test } from 'vitest';
import { readDialog } from '../../../../src/bridge/claude/screen/read-dialog.ts';

const rule = '─'.repeat(120);
/** As Claude Code 2.1.332 draws them, below what was said before. */
const above = ['❯ [user] go', '', '  Calling kites · 5s…', '', `${'─'.repeat(116)} s ─`, rule];
const elicits = (...rows: string[]) => [
  ...above,
  '  MCP server “kites” requests your input',
  '',
  '  Which kite shall fly?',
  '',
  ...rows,
];

const unchecked = [
  '❯ [user] fetch it',
  rule,
  "  Auto mode can't check actions in this session",
  '',
  '  You can stay in auto mode and approve each action that needs the check yourself.',
  '',
  '  Enter to stay in auto mode · shift+Tab to leave for accept edits mode and stop · Esc to cancel',
];

const proceed = (...options: string[]) => [
  rule,
  ' Bash command',
  '',
  '   curl -s http://127.0.0.1:9/ | sh',
  '',
  ' Do you want to proceed?',
  ...options,
  '',
  ' Esc to cancel · Tab to amend',
  '',
  `${'─'.repeat(116)} s ─`,
];

describe('what can be chosen', () => {
  test.each([
    [
      'one below the other',
      proceed(' ❯ No', '   Yes'),
      { options: [{ label: 'No' }, { label: 'Yes' }], at: 0 },
    ],
    [
      'with the numbers that are drawn',
      proceed('   1. Yes', ' ❯ 2. No'),
      { options: [{ label: 'Yes' }, { label: 'No' }], at: 1 },
    ],
    [
      'with numbers that are not ours',
      proceed(' ❯ 4. Yes', '   5. No'),
      { options: [{ label: '4. Yes' }, { label: '5. No' }], at: 0 },
    ],
    [
      'over several rows',
      proceed(' ❯ 1. Yes, and always', '      for this folder', '   2. No'),
      { options: [{ label: 'Yes, and always for this folder' }, { label: 'No' }], at: 0 },
    ],
    [
      'beside each other',
      elicits('  ❯ Accept    Decline', '', '  Esc to cancel · ↑/↓ to navigate'),
      { options: [{ label: 'Accept' }, { label: 'Decline' }], at: 0 },
    ],
    [
      'beside each other, the second',
      elicits('    Accept  ❯ Decline', '', '  Esc to cancel · ↑/↓ to navigate'),
      { options: [{ label: 'Accept' }, { label: 'Decline' }], at: 1 },
    ],
    [
      'by keys',
      unchecked,
      {
        options: [
          { label: 'stay in auto mode', key: '\r' },
          { label: 'leave for accept edits mode and stop', key: '\x1b[Z' },
        ],
      },
    ],
  ])('%s', (_name, rows, expected) => {
    const { options, at } = readDialog(rows) ?? {};
    expect({ options, ...(at !== undefined && { at }) }).toEqual(expected);
  });
});

test('the words are all of it but options and keys, without what stands above its rule', () => {
  expect(readDialog(proceed(' ❯ No', '   Yes'))?.words).toBe(
    'Bash command\n\n  curl -s http://127.0.0.1:9/ | sh\n\nDo you want to proceed?',
  );
  expect(readDialog(unchecked)?.words).toBe(
    "Auto mode can't check actions in this session\n\nYou can stay in auto mode and approve each action that needs the check yourself.",
  );
});

test('wherever its marker stands, and whatever happens above it, it is the same dialog', () => {
  const id = (rows: string[]) => readDialog(rows)?.id;
  expect(id(proceed(' ❯ No', '   Yes'))).toBe(id(proceed('   No', ' ❯ Yes')));
  expect(id(elicits('  ❯ Accept    Decline'))).toBe(id(elicits('    Accept  ❯ Decline')));
  const later = proceed(' ❯ No', '   Yes').with(0, rule);
  expect(id(['  Calling kites · 6s…', ...later])).toBe(id(later));
});

test('other words or options are another dialog', () => {
  const ids = [
    proceed(' ❯ No', '   Yes'),
    proceed(' ❯ Yes', '   No'),
    proceed(' ❯ No', '   Yes', '   Yes, always'),
    proceed(' ❯ No', '   Yes').with(3, '   curl -s http://127.0.0.1:9/x | sh'),
  ].map((rows) => readDialog(rows)?.id);
  expect(new Set(ids).size).toBe(4);
});

describe('nothing can be chosen', () => {
  test.each([
    [
      'in a form with a list',
      elicits(
        '  ❯   kite: ▸ not set',
        '',
        '    Accept    Decline',
        '',
        '  Esc to cancel · ↑/↓ to navigate · Backspace to unset · → to expand',
      ),
    ],
    [
      'in a form with a box to tick',
      elicits(
        '  ❯   fly: ☐',
        '        fly it',
        '',
        '    Accept    Decline',
        '',
        '  Esc to cancel · ↑/↓ to navigate · Backspace to unset · Space to toggle',
      ),
    ],
    ['where a text has a marker of its own', proceed(' ❯ No', '   Yes').with(3, '   echo "❯ 1. Yes"')],
    ['where two options are marked', proceed(' ❯ No', ' ❯ Yes')],
    ['where yes or no is typed', [rule, ' Overwrite? (y/n)']],
  ])('%s', (_name, rows) => {
    expect(readDialog(rows)).toMatchObject({ options: [], words: expect.stringMatching(/\S/) });
  });
});

test('keys that only a text names are none', () => {
  const rows = [rule, ' Enter to run everything', '', ' Overwrite? (y/n)'];
  expect(readDialog(rows)?.options).toEqual([]);
});

test('a dialog whose beginning is out of sight, or none at all, is not read', () => {
  expect(readDialog([' Do you want to proceed?', ' ❯ No', '   Yes', ' Esc to cancel'])).toBeUndefined();
  expect(readDialog(['❯ [user] go', '● Hello'])).toBeUndefined();
  expect(readDialog([rule, 'Nothing is asked.'])).toBeUndefined();
});
