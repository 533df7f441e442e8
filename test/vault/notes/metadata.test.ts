import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readMetadata } from '../../../src/vault/notes/metadata.ts';
import { runs } from '../../support/runs.ts';

const none = { title: undefined, aliases: [], tags: [] };

test('reads lists, and texts that are lists', () => {
  const expected = { title: 'My note', aliases: ['One', 'Number two'], tags: ['a', 'b/c', '2024'] };
  expect(
    readMetadata('title: My note\naliases: [One, Number two]\ntags:\n  - "#a"\n  - b/c\n  - 2024'),
  ).toEqual(expected);
  expect(readMetadata('title:  My note\nalias: One, Number two\ntags: "#a b/c, 2024"')).toEqual(expected);
});

test('makes one line of a title, and a text of a number', () => {
  expect(readMetadata('title: |\n  two\n  lines').title).toBe('two lines');
  expect(readMetadata('title: 2024').title).toBe('2024');
  expect(readMetadata(`title: ${'x'.repeat(400)}`).title).toHaveLength(300);
});

test('reads on where a secret is hidden', () => {
  expect(readMetadata('password: ‹secret: password›\ntitle: Router').title).toBe('Router');
});

test.each([
  ['nothing', ''],
  ['a text', 'just words'],
  ['a list', '- a\n- b'],
  ['what is not YAML', 'title: a\n  b: ]['],
  ['a title that is a list', 'title: [a]'],
  ['a title that is a mapping', 'title: {a: b}'],
  ['a tag that is no text', 'tags: [[a], {b: c}, null]'],
  ['a name that every object has', '__proto__: {title: a}\nconstructor: b'],
  ['a function', 'title: !!js/function "function () {}"\nx: ['],
  ['lists in each other', `tags: ${'['.repeat(10_000)}`],
  ['lists in each other, in lines', `tags:\n${' '.repeat(80)}- a`],
  ['lists in each other, in one line', `${'- '.repeat(10_000)}a`],
  ['aliases that grow', 'a: &a [x,x,x]\nb: &b [*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b]\ntags: [*c,*c,*c,*c,*c]'],
])('has nothing of %s', (_, yaml) => expect(readMetadata(yaml)).toEqual(none));

test('changes nothing that all objects share', () => {
  readMetadata('__proto__:\n  polluted: yes\n"constructor": {prototype: {polluted: yes}}');
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
});

test('never throws', () => {
  const piece = fc.constantFrom(
    ...'[]{}:-?&*!|>"\'#%@,\n\t ab1',
    'title: ',
    'tags: ',
    '\n- ',
    '<<: ',
    '*a',
    '&a ',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece).map((all) => all.join('')),
      ),
      (yaml) => {
        expect(readMetadata(yaml).tags.every((each) => typeof each === 'string')).toBe(true);
      },
    ),
    { numRuns: runs(500) },
  );
});
