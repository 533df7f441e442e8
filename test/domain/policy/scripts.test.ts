// What sed and awk are told to do, as far as it is known to run nothing and to write nothing.
import { describe, expect, test } from 'vitest';
import { isPlainAwk, sedScript } from '../../../src/domain/policy/programs/scripts.ts';

describe('a sed script', () => {
  test.for([
    ...[
      '',
      ' ',
      'p',
      '=',
      'P',
      'l',
      'l5',
      'l 5',
      ' p ',
      'p;',
      'p;p',
      'p ; p',
      '{p}',
      '{ p }',
      '{p;p}',
      '5',
      'p;\ts/a/b/',
      '\tp',
      'p;;p',
      ';p',
    ],
    ...[
      '5p',
      '55p',
      '$p',
      '5,66p',
      '5, 6p',
      '5,+3p',
      '5,+33p',
      '1~2p',
      '1~22p',
      '5,$p',
      '5 p',
      '5!p',
      '5  !  p',
    ],
    ...[
      '/x/p',
      '//p',
      '/xy/Ip',
      '/x/,/y/p',
      '/x/, /y/p',
      '/x/,5p',
      '/x/,+5p',
      '/a;b/p',
      '/x/,/a;b/p',
      '/x/, /a;b/p',
    ],
    ...['/[;]x[;]/p', '/\\//p', '/a\\;b/p', '/[ab]/p', '/a/I,/b/Ip', '{/a;b/p}', '{ /a;b/p;p}'],
    ...[
      's/a/b/',
      's/a/b/g',
      's/a/b/gpIiMm12',
      'y/ab/cd/',
      's|a|b|',
      's,a,b,',
      's/a\\/b/c/',
      's/a/\\//',
      's///',
    ],
    ...[
      '5s/a/b/',
      '5,6s/a/b/',
      '5, 6s/a/b/',
      '5,+6s/a/b/',
      '5!s/a/b/',
      '5 ! s/a/b/',
      '/x/s/a/b/',
      '/x/,/y/ s/a/b/',
    ],
    ...[
      's/a/b/;s/c/d/',
      's/a/b/ ; p',
      's/a/b/p;p',
      's/[ab]/c/',
      's/a/[b]/',
      's/a[b]c]/d/',
      's/a/b/\ns/c/d/',
      'p\n\np',
    ],
    ...[
      'a text',
      'i text',
      'c text',
      'a',
      'a\\',
      'a\\text',
      '5a text',
      '/x/ ! i text',
      '$!c w x',
      '55a x; w y',
      ' a w x',
    ],
  ])('%s leaves the lines, or changes them', (script) => expect(sedScript(script)).toBe('changes'));

  test.for([
    ...[
      'd',
      'q',
      'Q',
      'n',
      'N',
      'D',
      'x',
      'h',
      'H',
      'g',
      'G',
      '5d',
      '/x/,/y/d',
      '$!N',
      'q5',
      'q 55',
      'p;d',
      'd;p',
    ],
    ...['s/a/b/;d', 'd;s/a/b/', '{p;d}', 'p\nd', 'd\np', 'a text\nd', 'd\na text', '/d/d'],
  ])('%s may take lines away', (script) => expect(sedScript(script)).toBe('takes'));

  test.for([
    ...[
      'e',
      'e x',
      '1e x',
      'w x',
      'r x',
      'R x',
      'W x',
      'v',
      'b',
      ':x',
      't',
      'z',
      'F',
      'p x',
      'pp',
      'px',
      'p5x',
      'xp5p',
    ],
    ...[
      'p;e',
      'p\ne',
      'd;w x',
      's/a/b/;e',
      '{e}',
      '{p;e}',

      'a;e x',
      'ax',
      'xa text',
      'a text\ne x',
      '5,p x',
      'dp',
    ],
    ...[
      's/a/b/e',
      's/a/b/ge',
      's/a/b/w x',
      's/a/b/gw x',
      's/a/b/x',
      's/a/b',
      's/a',
      's/',
      's',
      's/a/b\\/',
      's\na',
      'p e x',
    ],
    ...[
      'sxaxbx',
      's a b ',
      's\\a\\b\\',
      's1a1b1',
      's_a_b_',
      's/[/]/x/',
      's/[ab/c/',
      's/a/[b/',
      's/[a]b[/]/c/',
      's/]a[/]/b/',
    ],
    ...[
      'e;s/a/b/',
      'es/a/b/',
      '/x/es/a/b/',
      '/x/e',
      '/x/,/y/e',
      '/x',
      '/[/p',
      '/x;e',
      '/a\nb/p',
      '/x/J p',
      '1~p',
      '5,6,7p',
    ],
    ...['{s/a/b/}', 'ea text', '/x/ea text', '1ea text', 's/a/b/ e', 's/a/b/}e', 's/a/b/;;e'],
  ])('%s may do anything', (script) => expect(sedScript(script)).toBeUndefined());

  test.for([
    'p{',
    '{p{',
    '}p',
    '}p}',
    's/[/]/',
    's/a[/]/',
    's/[a]b[/]/',
    's/a/[/]',
    '/[/;]/p',
    's/a/b/;e;55p',
  ])('%s may do anything, too', (script) => expect(sedScript(script)).toBeUndefined());

  test.for(['5', '\tp', '\ts/a/b/', 'p;\ts/a/b/', 'p;;p'])('%j changes nothing else', (script) =>
    expect(sedScript(script)).toBe('changes'),
  );

  test('is read up to 2,000 characters', () => {
    expect(sedScript('p;'.repeat(1_000))).toBe('changes');
    expect(sedScript(`${'p;'.repeat(1_000)}p`)).toBeUndefined();
  });
});

describe('a bracket that not every sed closes at the same sign', () => {
  // What is a pattern for one of them is a command that runs for the other.
  test.for([
    's/[]/x/;/]/p;/p;e x #/p',
    's/[^]/x/;/]/p;/p;e x #/p',
    's/[[:alpha:]/x/;/]/p;/p;e x #/p',
    's/[\\]/x/;/]/p;/p;e x #/p',
    '/[]/s/]/p;e x #/',
    '/[^]/s/]/p;e x #/',
    '/[[:alpha:]/s/]/p;e x #/',
    '/[\\]/s/]/p;e x #/',
  ])('may end anywhere: %s', (script) => expect(sedScript(script)).toBeUndefined());

  test.for([
    's/[[:space:]]*$//',
    's/[^[:alpha:]_]/x/g',
    '/^[^[:space:]a]/p',
    '/[[:alnum:]]/,/[a^]/p',
    's/\\[x\\]/y/',
    '/\\[/p',
  ])('is no other one: %s', (script) => expect(sedScript(script)).toBe('changes'));
});

describe('an awk program', () => {
  test.for([
    '{print}',
    '{print $1}',
    'x || y',
    'x > 1 {print}',
    '{printf "%s", x}',
    'BEGIN{x=1}',
    '/x/',
    '$1 > 2',
  ])('%s only prints', (program) => expect(isPlainAwk(program)).toBe(true));

  test.for([
    ...[
      '{print > 1}',
      '{print >> "x"}',
      'print>x',
      '{printf "%s", x > y}',
      '{print | "x"}',
      '{print x | y || z}',
    ],
    ...[
      'BEGIN{system("x")}',
      'getline x',
      '@load "x"',
      'BEGIN{ARGV[1]=2}',
      'BEGIN{ARGC=2}',
      '|| |',
      'sys||tem(1)',
    ],
  ])('%s may do more', (program) => expect(isPlainAwk(program)).toBe(false));
});
