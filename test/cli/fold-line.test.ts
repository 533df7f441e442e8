import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldLine, foldProse } from '../../src/cli/text/fold-line.ts';
import { ruler, width } from '../../src/cli/text/width.ts';

const text = fc.string({ unit: fc.constantFrom('a', 'bc', ' ', '  ', '漢', 'é', '.'), maxLength: 120 });

test('nothing is lost or added, however a line is broken', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 4, max: 30 }), (line, cells) => {
      for (const fold of [foldLine, foldProse]) {
        const rows = fold(line, cells, ruler);
        expect(rows.join('')).toBe(line);
        for (const row of rows) expect(width(row)).toBeLessThanOrEqual(cells);
      }
    }),
  );
});

test('prose is broken between words, and how far a row goes says whether a blank stood there', () => {
  const rows = foldProse('First I move the parser into a folder of its own.', 20, ruler);
  expect(rows).toEqual(['First I move the ', 'parser into a ', 'folder of its own.']);
  fc.assert(
    fc.property(text, fc.integer({ min: 4, max: 30 }), (line, cells) => {
      for (const row of foldProse(line, cells, ruler).slice(0, -1)) {
        const seen = width(row.trimEnd());
        if (/[^ ] $/.test(row) && width(row) < cells - 1) expect(seen).toBeLessThanOrEqual(cells - 2);
        else expect(width(row)).toBeGreaterThanOrEqual(cells - 1);
      }
    }),
  );
});
