// What a hostile note costs. `npm run bench` has it as a ratio for each doubling (P19).
import { expect, test } from 'vitest';
import { readMetadata } from '../../../src/vault/notes/metadata.ts';
import { readNote } from '../../../src/vault/notes/read-note.ts';
import { cost, slope } from '../../support/cost.ts';

const read = (text: string) => readNote('Home/Garden plan.md', text);

test.each([
  ['blanks', ' '],
  ['empty lines', '\n'],
  ['number signs', '#'],
  ['headings', '# a\n'],
  ['tags', '#a '],
  ['beginnings of links', '[['],
  ['links', '[[a]]'],
  ['one line', 'a'],
  ['words in one line', 'word '],
  ['backticks', '`'],
  ['fences', '```\n'],
  ['tildes', '~'],
  ['dashes', '-'],
  ['underlines', 'a\n---\n'],
  ['ends of headings', `# ${' '.repeat(500)}#\n`],
  ['halves of characters', '\ud83d'],
])('takes ten times as long for ten times as much: %s', (_, each) => {
  expect(slope(read, each, 25)).toBeLessThan(25);
});

test.each(['&a ', '"', '!!x ', '*a ', 'tags: [', 'a: b: ', '{a: '])(
  'takes seconds at most for a hostile one: %j',
  (piece) => {
    const yaml = piece.repeat((64 * 1024) / piece.length);
    expect(cost(() => readMetadata(yaml), 1)).toBeLessThan(5);
  },
);
