import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clipMiddle, inCells, width } from '../../../src/cli/text/width.ts';
import { wrap } from '../../../src/cli/text/wrap.ts';
import { fitLine, lineText, lineWidth, span, spread } from '../../../src/cli/tui/text/line.ts';
import { paint, paletteOf } from '../../../src/cli/tui/text/paint.ts';
import { table } from '../../../src/cli/tui/text/table.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string(),
  fc.constantFrom('日本語 テキスト', 'a  b', '👍🏽👍🏽'),
);

test('a cell is a cell: cut or filled, the width is what was asked for', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 40 }), (text, cells) => {
      const [clean = ''] = wrap(text, 400);
      expect(width(inCells(clean, cells))).toBe(cells);
      expect(width(clipMiddle(clean, cells))).toBeLessThanOrEqual(cells);
      expect(lineWidth(fitLine([span(clean, 'accent'), span(clean)], cells))).toBe(cells);
      expect(lineWidth(spread([span(clean)], [span('right')], cells))).toBe(cells);
    }),
  );
});

test('wrapped text fits, and loses nothing but blanks', () => {
  const solid = (text: string) => text.replace(/\s/g, '');
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), fc.integer({ min: 2, max: 60 }), (text, cells) => {
      const lines = wrap(text, cells);
      for (const line of lines) expect(width(line)).toBeLessThanOrEqual(cells);
      expect(solid(lines.join(''))).toBe(solid(text));
    }),
  );
});

test('a line of 100 kB is laid out like any other', () => {
  for (const word of ['word', '日本語']) {
    const words = Array.from({ length: 20_000 }, (_, index) => `${word}${index}`);
    const lines = wrap(words.join(' '), 76);
    for (const line of lines) expect(width(line)).toBeLessThanOrEqual(76);
    expect(lines.join(' ').split(' ')).toEqual(words);
  }
});

test('a character that is wider than the room ends no layout', () => {
  expect(wrap('    \u1100\u1100\u1100\uac01\u11a8 text', 5).join('').replaceAll(' ', '')).toMatch(/text$/);
});

test('words stay whole where they can, and indentation is kept', () => {
  expect(wrap('one two three', 8)).toEqual(['one two', 'three']);
  expect(wrap('  indented text here', 12)).toEqual(['  indented', '  text here']);
  expect(wrap('日本語日本語', 5)).toEqual(['日本', '語日', '本語']);
  expect(wrap('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij']);
});

test('both ends of a long name are seen', () => {
  expect(clipMiddle('agent:main:telegram:direct:4242', 16)).toBe('agent:ma…ct:4242');
});

test('columns that do not fit are left out, the least important first', () => {
  const columns = [
    { head: 'NAME', min: 6, max: 20, rank: 0, cell: (row: string) => span(row) },
    { head: 'LESS', min: 6, max: 6, rank: 2, cell: () => span('less') },
    { head: 'MORE', min: 6, max: 6, rank: 1, cell: () => span('more') },
  ];
  expect(lineText(table(columns, ['a'], 30).head)).toContain('LESS');
  const narrow = lineText(table(columns, ['a'], 16).head);
  expect(narrow).toContain('MORE');
  expect(narrow).not.toContain('LESS');
});

test('NO_COLOR means no colour; what is chosen is still seen', () => {
  expect(paletteOf({ NO_COLOR: '1' })).toBe('bare');
  expect(paletteOf({ NO_COLOR: '' })).toBe('coloured');
  const line = [span('plain'), span('bad', 'bad'), span('chosen', 'chosen')];
  expect(paint(line, 'coloured')).toContain('\u001b[31mbad');
  expect(paint(line, 'bare')).not.toMatch(/\u001b\[(?:3|4|9)\d/);
  expect(paint(line, 'bare')).toContain('\u001b[7mchosen');
});
