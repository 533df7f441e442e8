import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { holdsText, normalise, sameText, typePlan } from '../../../../src/bridge/claude/delivery/typist.ts';

/** What stands in the pastes, of which nothing but pastes is made. */
function pastesOf(keys: string): string[] {
  const start = '\x1b[200~';
  const end = '\x1b[201~';
  expect([keys.startsWith(start), keys.endsWith(end)]).toEqual([true, true]);
  return keys.slice(start.length, -end.length).split(end + start);
}

const typed = (text: string, name = 'alice') => pastesOf(typePlan(text, name).keys).join('');

describe('every text, whatever it holds', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 3000 }),
    fc.string({
      unit: fc.constantFrom('\n', '\r', '\t', '\x1b', '@', '/', '!', 'a', ' ', '\u200b'),
      maxLength: 200,
    }),
  );

  test('starts with the header, so its first character is never a command, a shell line or a quit word', () => {
    fc.assert(fc.property(anyText, (text) => void expect(typed(text).startsWith('[alice]')).toBe(true)));
  });

  test('travels in pieces of at most 600 characters and 2 newlines, and nothing gets lost between them', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { keys, expected } = typePlan(text, 'alice');
        for (const piece of pastesOf(keys)) {
          expect(piece.length).toBeLessThanOrEqual(600);
          expect(piece.split('\n').length - 1).toBeLessThanOrEqual(2);
        }
        expect(pastesOf(keys).join('')).toBe(`${expected} `);
      }),
    );
  });

  test('holds no key: no control character but newline inside a paste, and no half of a surrogate pair', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const piece of pastesOf(typePlan(text, 'alice').keys)) {
          expect(piece).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
          expect(piece.isWellFormed()).toBe(true);
        }
      }),
    );
  });

  test('never ends in something that Enter would complete or continue', () => {
    fc.assert(fc.property(anyText, (text) => void expect(typed(text).endsWith(' ')).toBe(true)));
  });

  test('has no at sign at the start of a word', () => {
    const word = /(?:^|[\s。、？！])@\S/u;
    fc.assert(
      fc.property(anyText, anyText, (text, name) => void expect(typed(text, name)).not.toMatch(word)),
    );
  });

  test('is normalised to itself the second time', () => {
    fc.assert(fc.property(anyText, (text) => void expect(normalise(normalise(text))).toBe(normalise(text))));
  });
});

describe('a text', () => {
  test.each([
    ['of 60,000 characters in one line', 'all work '.repeat(6_600), false],
    ['of 100,000 characters in one line', 'all work '.repeat(11_100), true],
    ['of 190 lines', 'row\n'.repeat(190), false],
    ['of 1,000 lines', 'row\n'.repeat(1000), true],
  ])('%s is short enough to be typed, or long', (_title, text, long) => {
    expect(typePlan(text, 'alice').long).toBe(long);
  });
});

describe('clean-up, as Claude Code 2.1.329 does it', () => {
  test.each([
    ['a tab is four blanks', 'a\tb', 'a    b'],
    ['CRLF and CR are newlines', 'a\r\nb\rc', 'a\nb\nc'],
    ['the line separators of Unicode are newlines', 'a\u2028b\u2029c\u0085d', 'a\nb\nc\nd'],
    ['trailing blanks and newlines go', 'a \n\n ', 'a'],
    ['an escape sequence loses its escape', 'a\x1b[31mb', 'a[31mb'],
    ['the end of a paste cannot be forged', 'a\x1b[201~b', 'a[201~b'],
    ['zero-width characters go', 'a\u200bb\u2060c\ufeffd\u00ade', 'abcde'],
    ['direction marks go', 'a\u202eb\u2066c\u200fd', 'abcd'],
    ['tag characters and variation selectors beyond emoji go', 'a\u{e0041}b\u{e0100}c\ufe0fd', 'abcd'],
    ['a lone surrogate becomes a replacement character', 'a\ud800b', 'a\ufffdb'],
    [
      'emoji keep their joiners and styles',
      '👨\u200d👩\u200d👧 ❤\ufe0f 1\ufe0f\u20e3',
      '👨\u200d👩\u200d👧 ❤\ufe0f 1\ufe0f\u20e3',
    ],
    ['scripts that join keep their joiners', 'क्\u200dष می\u200cخواهم', 'क्\u200dष می\u200cخواهم'],
    ['a joiner between Latin letters goes', 'a\u200db', 'ab'],
  ])('%s', (_title, text, cleaned) => expect(normalise(text)).toBe(cleaned));
});

describe('what would attach a file', () => {
  test.each([
    ['@etc', '\\@etc'],
    ['see @etc/passwd now', 'see \\@etc/passwd now'],
    ['a\u00a0@b a\u3000@c', 'a\u00a0\\@b a\u3000\\@c'],
    ['(@b) "@c"', '(\\@b) "\\@c"'],
    ['a \u200b@b', 'a \\@b'],
    ['@@b', '\\@\\@b'],
    ['mail bob@example.org', 'mail bob@example.org'],
    ['é@b 你@c', 'é@b 你@c'],
    ['5 @ 3', '5 @ 3'],
    ['already \\@b', 'already \\@b'],
  ])('%j is typed as %j', (text, expected) => expect(typed(text)).toBe(`[alice] ${expected} `));

  test.each([
    ['a @~/notes', '[a \\@~/notes] hello '],
    ['a @"~/my notes"', '[a \\@"~/my notes"] hello '],
    ['好。@~/notes', '[好。\\@~/notes] hello '],
  ])('a sender who is called %j attaches nothing either', (name, expected) =>
    expect(typed('hello', name)).toBe(expected),
  );

  test.each(['/home/u/pic.png', '/a/b.JPEG', '  /a/b.webp  ', '"/a/b.gif"', 'file:///a/b.png', 'b.pdf'])(
    'the image path %j never stands whole at the end of a line of one paste',
    (path) => {
      const { keys, expected } = typePlan(`look\n${path}\n${path}`, 'alice');
      for (const piece of pastesOf(keys)) {
        expect(piece.split('\n').filter((line) => /\.(?:png|jpe?g|webp|gif|pdf)\W*$/i.test(line))).toEqual(
          [],
        );
      }
      expect(expected).toContain(path.trim());
    },
  );
});

describe('comparison with what Claude Code says it took', () => {
  test('blanks at line ends, Unicode forms and dropped invisibles do not count', () => {
    expect(sameText('a  \nb', 'a\nb\n')).toBe(true);
    expect(sameText('e\u0301', '\u00e9')).toBe(true);
    expect(sameText('می\u200cخواهم', 'میخواهم')).toBe(true);
  });

  test('a missing line, another order or an added word count', () => {
    expect(sameText('a\nb', 'a b')).toBe(false);
    expect(sameText('a\nb', 'b\na')).toBe(false);
    expect(sameText('a', 'a b')).toBe(false);
  });

  test('our text among other keys is told from a text of somebody else', () => {
    expect(holdsText('[alice] good morning', 'draft [alice] good morning')).toBe(true);
    expect(holdsText('[alice] good morning', 'good morning')).toBe(false);
  });
});
