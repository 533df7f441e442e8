import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Box, emptyBox, press } from '../../src/demo/claude/screen/input-box.ts';
import type { Key, KeyName } from '../../src/demo/claude/screen/keys.ts';

const paste = (text: string): Key => ({ kind: 'paste', text });
const typed = (text: string, bulk = false): Key => ({ kind: 'text', text, bulk });
const named = (name: KeyName): Key => ({ kind: 'key', name });
const enter = named('enter');

/** Presses keys one after the other. @returns the box and every text that was submitted. */
function play(...keys: Key[]): { box: Box; sent: string[] } {
  let box = emptyBox;
  const sent: string[] = [];
  for (const each of keys) {
    const step = press(box, each);
    box = step.box;
    if (step.outcome.kind === 'submit') sent.push(step.outcome.text);
  }
  return { box, sent };
}

test('a small paste arrives exactly as it is', () => {
  expect(play(paste('hello one\nhello two'), enter).sent).toEqual(['hello one\nhello two']);
});

test('many small pastes arrive as one text, whatever their number', () => {
  const line = fc.stringMatching(/^[a-z .]{1,200}[a-z]$/);
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 60 }), (lines) => {
      const pieces = lines.map((text, at) => paste(at === 0 ? text : `\n${text}`));
      expect(play(...pieces, enter).sent).toEqual([lines.join('\n')]);
    }),
  );
});

test.each([
  ['three newlines', 'a\nb\nc\nd'],
  ['more than 800 characters', 'x'.repeat(801)],
])('a paste with %s is wrapped as foreign text', (_, text) => {
  const { sent, box } = play(paste(text));
  expect(sent).toEqual([]);
  expect(box.text).toMatch(/^\[Pasted text #1/);
  expect(play(paste(text), enter).sent[0]).toMatch(
    /^\n\n<pasted_content id="([0-9a-f]{4})">\n[\s\S]*\n<\/pasted_content id="\1">\n$/,
  );
});

test('a large unbracketed write is wrapped like a paste', () => {
  expect(play(typed('y'.repeat(900), true), enter).sent[0]).toContain('<pasted_content');
});

test('a TAB becomes four spaces, other control characters vanish, the end is trimmed', () => {
  expect(play(paste('a\tb\x1b[31mc\x07 \r\n'), enter).sent).toEqual(['a    b[31mc']);
});

test('leading blanks stay', () => {
  expect(play(typed('  !ls'), enter).sent).toEqual(['  !ls']);
});

test('an invisible character in a paste swallows the first Enter and says so', () => {
  const first = play(paste('a\u200bb'), enter);
  expect(first.sent).toEqual([]);
  expect(first.box.notice).toBe('Removed 1 invisible character · review and press Enter to send');
  expect(play(paste('a\u200bb'), enter, enter).sent).toEqual(['ab']);
});

test('an invisible character that was typed is removed without a question', () => {
  expect(play(typed('a\u200bb\u200bc'), enter).sent).toEqual(['abc']);
});

test('the joiner inside an emoji is not taken for an invisible character', () => {
  expect(play(paste('👨\u200d👩'), enter).sent).toEqual(['👨\u200d👩']);
});

test('a backslash in front of Enter makes a new line instead of sending', () => {
  expect(play(typed('a\\'), enter).sent).toEqual([]);
  expect(play(typed('a\\'), enter, typed('b'), enter).sent).toEqual(['a\nb']);
});

test('Enter on an empty box sends nothing', () => {
  expect(play(enter, typed('  '), enter).sent).toEqual([]);
});

test('Ctrl+S stashes a draft and it comes back after the next message', () => {
  const { box, sent } = play(typed('draft'), named('ctrl-s'), paste('ours'), enter);
  expect(sent).toEqual(['ours']);
  expect(box.text).toBe('draft');
});

test('Ctrl+U clears one line, Ctrl+C clears all of them', () => {
  expect(play(typed('a\nb'), named('ctrl-u')).box.text).toBe('a\n');
  expect(play(typed('a\nb'), named('ctrl-c')).box.text).toBe('');
});

test('Esc clears only when pressed twice', () => {
  expect(play(typed('a'), named('escape')).box.text).toBe('a');
  expect(play(typed('a'), named('escape'), named('escape')).box.text).toBe('');
});

test('an open path completion takes the Enter', () => {
  const box = { ...emptyBox, text: 'see @src' };
  expect(press(box, enter, (path) => path === 'src').outcome.kind).toBe('none');
  expect(press(box, enter, () => false).outcome.kind).toBe('submit');
});
