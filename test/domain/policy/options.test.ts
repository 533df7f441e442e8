// The words of a command as its program reads them, rule by rule.
import { describe, expect, test } from 'vitest';
import { mannerOf, type Told } from '../../../src/domain/policy/programs/manner.ts';
import { type Given, nothing, readOptions } from '../../../src/domain/policy/programs/options.ts';

/** `"$x"`: one word, which is no option. */
const quoted: Given = { text: undefined, loose: false, splits: false };
const word = (text: string): Given => ({ text, loose: text.startsWith('-'), splits: false });

const read = (told: Told, words: readonly (string | Given)[], untilWord?: boolean) =>
  readOptions(
    mannerOf(told),
    ['program', ...words].map((each) => (typeof each === 'string' ? word(each) : each)),
    1,
    untilWord,
  );
const reads = (told: Told, line: string, untilWord?: boolean) => read(told, line.split(' '), untilWord);
const none = { options: [], rest: [] };

describe('words that are no options', () => {
  test('are told by their places', () => {
    expect(read({}, [])).toEqual(none);
    expect(reads({}, 'x - a-b')).toEqual({ options: [], rest: [1, 2, 3] });
    expect(read({}, [quoted, 'x'])).toEqual({ options: [], rest: [1, 2] });
  });

  test('are all behind two dashes', () => {
    expect(reads({ short: 'a' }, '-a x -- -b --')).toEqual({ options: [{ name: '-a' }], rest: [2, 4, 5] });
    expect(read({}, ['--', nothing])).toEqual({ options: [], rest: [2] });
  });

  test('begin another command, where they do', () => {
    expect(reads({ short: 'ab' }, 'x -b')).toEqual({ options: [{ name: '-b' }], rest: [1] });
    expect(reads({ short: 'a' }, '-a x -b y', true)).toEqual({ options: [{ name: '-a' }], rest: [2, 3, 4] });
    expect(read({}, [quoted, '-b'], true)).toEqual({ options: [], rest: [1, 2] });
    expect(reads({ short: 'a' }, '-a', true)).toEqual({ options: [{ name: '-a' }], rest: [] });
  });

  test('may be options where only running it would tell: then nothing is known, unless any will do', () => {
    expect(read({ short: 'a' }, ['x', nothing])).toBeUndefined();
    expect(read({ any: true }, ['x', nothing, '-a'])).toEqual({ options: [{ name: '-a' }], rest: [1, 2] });
  });
});

describe('long options', () => {
  const long = 'plain valued= both both=';

  test('are known by their names', () => {
    expect(reads({ long }, '--plain x')).toEqual({ options: [{ name: '--plain' }], rest: [2] });
    for (const unknown of ['--other', '--plai', '--plainer', '-plain', '--both- x', '---plain'])
      expect(reads({ long }, unknown)).toBeUndefined();
    expect(reads({ long, any: true }, '--other=x')).toEqual({ options: [{ name: '--other' }], rest: [] });
  });

  test('have their value in the word, or in the next one', () => {
    const valued = { name: '--valued', valueAt: 1 };
    expect(reads({ long }, '--valued=a=b= x')).toEqual({
      options: [{ ...valued, value: 'a=b=' }],
      rest: [2],
    });
    expect(reads({ long }, '--valued= x')).toEqual({ options: [{ ...valued, value: '' }], rest: [2] });
    expect(reads({ long }, '--valued a x')).toEqual({
      options: [{ ...valued, value: 'a', valueAt: 2 }],
      rest: [3],
    });
  });

  test('have it only in the word, where they need none', () => {
    expect(reads({ long }, '--both x')).toEqual({ options: [{ name: '--both' }], rest: [2] });
    expect(reads({ long }, '--both=x y')).toEqual({
      options: [{ name: '--both', valueAt: 1, value: 'x' }],
      rest: [2],
    });
  });

  test('may have one dash', () => {
    expect(reads({ long, oneDash: true }, '-plain --plain -valued x')).toEqual({
      options: [{ name: '--plain' }, { name: '--plain' }, { name: '--valued', valueAt: 4, value: 'x' }],
      rest: [],
    });
    expect(reads({ long, short: 'a', oneDash: true }, '-a')).toBeUndefined();
  });
});

describe('short options', () => {
  const short = 'b:axc::d';

  test('stand behind one dash, one or more', () => {
    expect(reads({ short }, '-a -xd y')).toEqual({
      options: [{ name: '-a' }, { name: '-x' }, { name: '-d' }],
      rest: [3],
    });
    for (const unknown of ['-y', '-ay', '-:', '-a:']) expect(reads({ short }, unknown)).toBeUndefined();
  });

  test('have the rest of the word for a value, or the next one', () => {
    expect(reads({ short }, '-abxa y')).toEqual({
      options: [{ name: '-a' }, { name: '-b', valueAt: 1, value: 'xa' }],
      rest: [2],
    });
    expect(reads({ short }, '-ab x y')).toEqual({
      options: [{ name: '-a' }, { name: '-b', valueAt: 2, value: 'x' }],
      rest: [3],
    });
  });

  test('have only the rest of the word, where they need none', () => {
    expect(reads({ short }, '-acy x')).toEqual({ options: [{ name: '-a' }, { name: '-c' }], rest: [2] });
    expect(reads({ short }, '-c x')).toEqual({ options: [{ name: '-c' }], rest: [2] });
  });

  test('are taken where any will do, and have no value then', () => {
    expect(reads({ short: ':b:', any: true }, '-y:b x')).toEqual({
      options: [{ name: '-y' }, { name: '-:' }, { name: '-b', valueAt: 2, value: 'x' }],
      rest: [],
    });
  });

  test('may be a number, which 0 stands for', () => {
    const number = { options: [{ name: '-0' }], rest: [2] };
    expect(reads({ short: 'a0' }, '-12 x')).toEqual(number);
    expect(reads({ any: true }, '-12 x')).toEqual(number);
    expect(reads({ short: 'a12' }, '-12 x')).toBeUndefined();
    expect(reads({ short: 'a0' }, '-a-12 x')).toBeUndefined();
    expect(reads({ short: 'a0' }, '-12a x')).toBeUndefined();
    expect(reads({ short: 'a12', any: true }, '-12a x')).toEqual({
      options: [{ name: '-1' }, { name: '-2' }, { name: '-a' }],
      rest: [2],
    });
  });
});

describe('the word behind an option is its value', () => {
  const valued = (value?: string) => ({ options: [{ name: '-b', valueAt: 2, value }], rest: [] });

  test.each(['x', '-', 'a-b', '--', '-x'])('as %j is, or something else', (text) => {
    const looksLikeOption = text.length > 1 && text.startsWith('-');
    expect(read({ short: 'b:' }, ['-b', text])).toEqual(looksLikeOption ? undefined : valued(text));
    expect(read({ short: 'b:', any: true }, ['-b', text])).toEqual(valued(text));
  });

  test('if it is one word', () => {
    expect(read({ short: 'b:' }, ['-b', quoted])).toEqual(valued());
    for (const behind of [[], [{ ...quoted, splits: true }], [nothing]]) {
      expect(read({ short: 'b:' }, ['-b', ...behind])).toBeUndefined();
      expect(read({ short: 'b:', any: true }, ['-b', ...behind])).toEqual(valued());
    }
  });
});
