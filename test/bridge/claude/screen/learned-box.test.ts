import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BoxLayout, findLearned, isFrame } from '../../../../src/bridge/claude/screen/box-layout.ts';
import { learnLayout } from '../../../../src/bridge/claude/screen/learn-layout.ts';
import { readScreen } from '../../../../src/bridge/claude/screen/screen-reader.ts';

const marks = { first: 'qwrtzpl', second: 'mnbvcxk' };
const footer = '  ⏸ manual mode on';
const width = 40;

type Draw = (text: string, said?: readonly string[]) => string[];

const greeting = [' ✻ Claude Code v9', ''];
const sided =
  (lead: string, more: string): Draw =>
  (text, said = greeting) => [
    ...said,
    `╭${'─'.repeat(width - 2)}╮`,
    ...text.split('\n').map((line, at) => `${`${at === 0 ? lead : more}${line}`.padEnd(width - 1)}│`),
    `╰${'─'.repeat(width - 2)}╯`,
    footer,
  ];
const plain =
  (mark: string, more: string, rule: string, below: string[]): Draw =>
  (text, said = greeting) => [
    ...said,
    ...(rule && [rule]),
    ...text.split('\n').map((line, at) => `${at === 0 ? mark : more}${line}`.trimEnd()),
    ...(rule && [rule]),
    ...below,
  ];
const atTop: Draw = (text, said = []) => [...plain('>> ', '   ', '─'.repeat(width), [])(text, []), ...said];

const drawings: Record<string, Draw> = {
  'with sides': sided('│ > ', '│   '),
  'without rules': plain('› ', '  ', '', [footer]),
  'without rules and footer': plain('› ', '  ', '', []),
  'between rules of another kind': plain('❯ ', '  ', '='.repeat(width), [footer]),
  'for a screen reader': plain('k $ ', '', '', []),
  'at the top': atTop,
};

function learned(draw: Draw, said?: readonly string[]): BoxLayout {
  const { first, second } = marks;
  const layout = learnLayout({ one: draw(first, said), two: draw(`${first}\n${second}`, said), ...marks });
  if (!layout) throw new Error('nothing was learned');
  return layout;
}

const boxOf = (rows: string[], layout: BoxLayout, bright = rows) => readScreen(rows, bright, layout).box;

describe.each(Object.entries(drawings))('a prompt drawn %s', (_name, draw) => {
  const layout = learned(draw);

  test.each([
    ['empty', ''],
    ['one line', 'good morning'],
    ['several lines', 'good\nmorning\nto you'],
    ['with an empty line', 'good\n\nmorning'],
  ])('is read: %s', (_title, text) => {
    expect(boxOf(draw(text), layout)).toBe(text);
    expect(readScreen(draw(text), draw(text)).box).toBeUndefined();
  });

  test('is read whatever words stand in it, and whatever was said', () => {
    const line = fc.stringMatching(/^[a-z]{1,8}( [a-z]{1,8}){0,3}$/);
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), fc.array(line), (lines, said) => {
        const rows = draw(lines.join('\n'), [...said.map((each) => `● ${each}`), '']);
        expect(boxOf(rows, layout)).toBe(lines.join('\n'));
      }),
    );
  });

  test('a placeholder, which is drawn dim, does not count as typed', () => {
    const shown = draw('Try something');
    expect(
      boxOf(
        shown,
        layout,
        shown.map((row) => row.replace('Try something', ' '.repeat(13))),
      ),
    ).toBe('');
  });

  test('is gone when a question has replaced it, whatever was asked before', () => {
    const asked = [
      ...greeting,
      `${layout.lead}good morning`,
      '',
      '● hello',
      '─'.repeat(width),
      ' Bash command',
      '   echo one',
      ' Do you want to proceed?',
      ' ❯ 1. Yes',
      '   2. No',
      ' Esc to cancel',
    ];
    expect(boxOf(asked, layout)).toBeUndefined();
    expect(boxOf(greeting, layout)).toBeUndefined();
    expect(boxOf([], layout)).toBeUndefined();
  });

  test('an interruption is seen as in the usual one', () => {
    const said = ['● one', '  ⎿  Interrupted · What should Claude do instead?', ''];
    const view = readScreen(draw('', said), draw('', said), layout);
    expect(view).toMatchObject({ box: '', interrupted: true });
    const again = [...said, `${layout.lead}again`, '● two'];
    expect(readScreen(draw('', again), draw('', again), layout).interrupted).toBe(false);
  });

  test('the usual one is found first, and an earlier message in it is not the box', () => {
    const rule = '─'.repeat(60);
    expect(boxOf([...greeting, rule, '❯ usual', rule, footer], layout)).toBe('usual');
    if (draw === atTop) return;
    expect(boxOf(draw('now', [`${layout.lead}before`, '', '● said']), layout)).toBe('now');
  });
});

describe('nothing is learned', () => {
  const { first, second } = marks;
  const draw = sided('│ > ', '│   ');
  const two = draw(`${first}\n${second}`);
  test.each([
    ['where the mark is not drawn', { one: draw(''), two }],
    ['where it is drawn twice', { one: draw(first), two: draw(`${first}\n${second}`, [first]) }],
    ['where it is drawn below as well', { one: [...draw(first), first], two: [...two, first] }],
    ['where the second line is not drawn', { one: draw(first), two: draw(first) }],
    ['where both share a row', { one: draw(first), two: draw(`${first} ${second}`) }],
    ['where nothing stands around it', { one: [first], two: [first, second] }],
  ])('%s', (_title, screens) => {
    expect(learnLayout({ ...screens, ...marks })).toBeUndefined();
  });
});

test('a box that is scrolled to the end of its text has no mark, and is found by its frame', () => {
  const draw = plain('» ', '  ', '='.repeat(width), [footer]);
  const rows = ['● hello', '=== ↑ 12 more ===', '  and so on', '  to the end', '='.repeat(width), footer];
  expect(boxOf(rows, learned(draw))).toBe('and so on\nto the end');
});

test.each([
  ['==========', true],
  ['=== ↑ 3 more ===', true],
  ['===', false],
  ['  ==========', false],
  [undefined, false],
])('%j frames: %s', (row, is) => expect(isFrame(row, { head: '', fill: '=' })).toBe(is));

test('the place of the box is told, for what stands around it', () => {
  const draw = sided('│ > ', '│   ');
  expect(findLearned(draw('one\ntwo'), learned(draw))).toEqual({ top: 2, first: 3, end: 5 });
});
