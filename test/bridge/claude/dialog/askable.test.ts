import { expect, test } from 'vitest';
import { askable, askableAtStart } from '../../../../src/bridge/claude/dialog/askable.ts';
import { knownDialogs } from '../../../../src/bridge/claude/screen/dialog-table.ts';

const rule = '─'.repeat(60);
const hint = '  Enter to confirm · Esc to cancel';
const drawn = (words: readonly string[], above: readonly string[] = [], keys = hint) => [
  ...above,
  rule,
  ...words.map((row) => `  ${row}`),
  '',
  '  ❯ 1. Leave',
  '    2. Continue',
  '',
  keys,
];
const resume = [
  rule,
  '  This session is 2h old and 20 tokens.',
  '',
  '  ❯ 1. Resume from summary (instant, recommended)',
  '    2. Resume full session as-is',
  '',
  hint,
];

test('of those that are known, one lets nothing loose', () => {
  expect(knownDialogs.filter(({ harmless }) => harmless).map(({ id }) => id)).toEqual(['resume_choice']);
  expect(askableAtStart(resume, false)?.options).toHaveLength(2);
  expect(askable(resume)?.options).toHaveLength(2);
});

test.each([
  ['Yes, I trust this folder', 'No, exit'],
  ['WARNING: Loading development channels', 'I am using this for local development'],
  ['Detected a custom API key in your environment'],
  ['Select login method'],
  ['Claude Code running in Bypass Permissions mode', 'No, exit'],
  ['New MCP servers found in this project'],
  ['Settings Error'],
])('no other one is asked at the start: %s', (...words) => {
  expect(askableAtStart(drawn(words), true)).toBeUndefined();
  expect(askableAtStart(drawn(words), false)).toBeUndefined();
});

test('one that nobody knows is asked as it is drawn, unless its words say that it lets something loose', () => {
  expect(askableAtStart(drawn(['Something new']), true)).toMatchObject({
    words: 'Something new',
    options: [{ label: 'Leave' }, { label: 'Continue' }],
    at: 0,
  });
  expect(askableAtStart(drawn(['Something new about servers']), true)).toBeUndefined();
  expect(
    askableAtStart(drawn(['Something new'], [], '  Enter to sign in · Esc to cancel'), false),
  ).toBeUndefined();
});

test('as long as nothing else can be on the screen, all of it is read for that', () => {
  const told = drawn(['Something new'], ['Do you trust what is here?']);
  expect(askableAtStart(told, true)).toBeUndefined();
  expect(askableAtStart(told, false)).toBeDefined();
});

test('what a conversation says above does not make one of them harmless', () => {
  const said = ['● Resume from summary', '  Resume full session as-is'];
  expect(askableAtStart(drawn(['Use both servers?'], said), false)).toBeUndefined();
});

test('one whose beginning is out of sight is not asked', () => {
  expect(askableAtStart(drawn(['Something new']).slice(1), true)).toBeUndefined();
});
