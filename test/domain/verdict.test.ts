// Which texts are an answer to a permission question, to the letter.
import { describe, expect, test } from 'vitest';
import { readBare, readShow, readVerdict } from '../../src/domain/question/verdict.ts';

describe('a verdict', () => {
  test.each(['yes', 'y', 'allow', 'ok', 'approve', 'YES', 'Ok'])('%j allows', (word) => {
    expect(readVerdict(`${word} abcde`)).toEqual({ verdict: 'allow', code: 'abcde', rest: '' });
  });

  test.each(['no', 'n', 'deny', 'esc', 'NO', 'Deny'])('%j denies', (word) => {
    expect(readVerdict(`${word} abcde`)).toEqual({ verdict: 'deny', code: 'abcde', rest: '' });
  });

  test('may have blanks around it and between its words, and any case', () => {
    expect(readVerdict('\n  yes \t ABcDe  \n')).toEqual({ verdict: 'allow', code: 'abcde', rest: '' });
  });

  test.each([
    'no abcde use another folder',
    'no abcde\nuse another folder',
    'no abcde.use another folder',
    'no abcde, use another folder',
    'no abcde;   use another folder',
    'no abcde: use another folder  ',
    'no abcde!\n\nuse another folder',
  ])('%j gives the words behind the code as its rest', (text) => {
    expect(readVerdict(text)).toEqual({ verdict: 'deny', code: 'abcde', rest: 'use another folder' });
  });

  test('has a rest of several lines, of 2,000 characters at most', () => {
    expect(readVerdict('no abcde a\nb\n c')?.rest).toBe('a\nb\n c');
    expect(readVerdict(`no abcde ${'x'.repeat(2_001)}`)?.rest).toBe('x'.repeat(2_000));
  });

  test('counts its rest without the blanks in front', () => {
    expect(readVerdict(`no abcde.\u00a0${' '.repeat(50)}why`)?.rest).toBe('why');
  });

  test.each([
    '',
    'yes',
    'yes ',
    'abcde',
    'yesabcde',
    'yes abcd',
    'yes abcdef',
    'yes abcde7',
    'yes abcde?',
    'yes abcde-x',
    'yes abcle',
    'yes abc1e',
    'yess abcde',
    'maybe abcde',
    'oh yes abcde',
    'Reply yes abcde or no abcde',
    '> yes abcde',
    'hello\nyes abcde',
    'show abcde',
  ])('%j is none', (text) => expect(readVerdict(text)).toBeUndefined());
});

test.each([
  ['ｙｅｓ　ａｂｃｄｅ　１', { verdict: 'allow', code: 'abcde', rest: '１' }],
  ['ＮＯ abcde：ｗｈｙ？', { verdict: 'deny', code: 'abcde', rest: 'ｗｈｙ？' }],
] as const)('%j is read as its ASCII letters, and its rest is kept as written', (text, read) => {
  expect(readVerdict(text)).toEqual(read);
});

test('a wish to see more may be of full width, too', () => {
  expect(readShow('ｓｈｏｗ ａｂｃｄｅ ２')).toEqual({ code: 'abcde', part: 2 });
});

describe('one word', () => {
  test.each([
    ['yes', 'yes'],
    [' Ok. ', 'yes'],
    ['ｎｏ！', 'no'],
    ['DENY', 'no'],
    ['２', 2],
    ['10.', 10],
  ] as const)('%j is %j', (text, said) => expect(readBare(text)).toBe(said));

  test.each(['', 'yes?', 'yes yes', 'yes abcde', 'nope', 'no\nno', '123', '1 2', `no${'.'.repeat(300)}`])(
    '%j is none',
    (text) => expect(readBare(text)).toBeUndefined(),
  );
});

describe('a wish to see more', () => {
  test('names a code, and perhaps a part', () => {
    expect(readShow('show abcde')).toEqual({ code: 'abcde' });
    expect(readShow('  Show \t ABCDE  \n')).toEqual({ code: 'abcde' });
    expect(readShow('show abcde 2')).toEqual({ code: 'abcde', part: 2 });
    expect(readShow('show abcde  9876')).toEqual({ code: 'abcde', part: 9_876 });
    expect(readShow('show abcde 0')).toEqual({ code: 'abcde', part: 0 });
  });

  test.each([
    '',
    'show',
    'show abcd',
    'showabcde',
    'show abcle',
    'show abcdef',
    'show abcde2',
    'show abcde x',
    'show abcde 12345',
    'show abcde 2 please',
    'please show abcde',
    'yes abcde',
  ])('%j is none', (text) => expect(readShow(text)).toBeUndefined());
});
