import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { safe } from '../../../src/cli/output/safe.ts';
import { foldLine } from '../../../src/cli/text/fold-line.ts';
import { rulerFor } from '../../../src/cli/text/ruler.ts';
import { mostCells, sureWidth } from '../../../src/cli/text/sure.ts';
import { clip, clipMiddle, clipStart, head, last, ruler, tail, width } from '../../../src/cli/text/width.ts';
import { wrap } from '../../../src/cli/text/wrap.ts';
import { slope } from '../../support/cost.ts';

/** All but controls and halves of pairs. */
const everyCharacter = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code >= 0xa0 && (code < 0xd800 || code > 0xdfff))
  .map((code) => String.fromCodePoint(code));

test('of all characters there are, those whose width is known without asking have the one that string-width says', () => {
  const known = everyCharacter.filter((character) => sureWidth(character) !== undefined);
  expect(known.length).toBeGreaterThan(38_000);
  expect(known.filter((character) => sureWidth(character) !== stringWidth(character))).toEqual([]);
});

test('the others are asked for, and where that takes too long are taken as wide as they may be', () => {
  const some = everyCharacter.filter((_, at) => at < 0x3000 || at % 97 === 0);
  expect(some.filter((character) => width(character) !== stringWidth(character))).toEqual([]);
  expect(some.filter((character) => mostCells(character) < stringWidth(character))).toEqual([]);
});

const whole = [
  ...['👨‍👩‍👧‍👦', '👍🏽', '🇩🇪', '🇯🇵', '❤️', '1️⃣', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
  ...[
    '日',
    '本',
    '한',
    '각',
    'é',
    'e\u0301',
    'ẹ\u0301',
    'ก็',
    'नि',
    'ﾀﾞ',
    '\u1100\u1161\u11a8',
    'a',
    ' ',
    '─',
    '…',
  ],
];
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const split = (text: string) => Array.from(graphemes.segment(text), ({ segment }) => segment);
const anyText = fc.oneof(
  fc.array(fc.constantFrom(...whole), { maxLength: 60 }).map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 60 }).map((text) => safe(text).replace(/\n/g, ' ')),
);

test('a text is as wide as string-width says, whatever stands next to what', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(width(text)).toBe(stringWidth(text));
    }),
  );
});

test('no cut is too wide, and none goes through what a person calls a character', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 30 }), (text, cells) => {
      const parts = split(text);
      const beginnings = new Set(parts.map((_, at) => parts.slice(0, at).join('')).concat(text));
      const ends = new Set(parts.map((_, at) => parts.slice(at).join('')).concat(''));
      expect(beginnings).toContain(head(text, cells));
      expect(ends).toContain(tail(text, cells));
      for (const cut of [clip(text, cells), clipStart(text, cells), clipMiddle(text, cells)]) {
        expect(stringWidth(cut)).toBeLessThanOrEqual(cells);
        if (cut === text) continue;
        const [before = '', after = ''] = cut.split(/…(?=[^…]*$)/);
        expect([...beginnings].some((each) => each === before || before.startsWith(each))).toBe(true);
        expect([...ends].some((each) => each === after || after.endsWith(each))).toBe(true);
      }
      expect(foldLine(text, cells, ruler).join('')).toBe(text);
      expect(last(text)).toBe(parts.at(-1) ?? '');
    }),
  );
});

test('a long row of flags is cut between two flags, from either end', () => {
  const flags = '🇩🇪🇯🇵'.repeat(200);
  expect(clipStart(flags, 9)).toBe('…🇩🇪🇯🇵🇩🇪🇯🇵');
  expect(clipMiddle(flags, 9)).toBe('🇩🇪🇯🇵…🇩🇪🇯🇵');
  expect(last(flags)).toBe('🇯🇵');
});

test('what is known without asking is measured with nothing loaded, and the same', async () => {
  const known = ['agent:main:telegram:direct:4242', '日本語 team · …', 'Größe, Привет, Ωμέγα'];
  const light = await rulerFor(known);
  expect(light).not.toBe(ruler);
  for (const text of known)
    for (let cells = 0; cells < 40; cells += 1) {
      expect(light.clipMiddle(text, cells)).toBe(clipMiddle(text, cells));
      expect(light.inCells(text, cells)).toBe(ruler.inCells(text, cells));
    }
  expect(await rulerFor(['👍'])).toBe(ruler);
  expect(sureWidth('e\u0301')).toBeUndefined();
});

test('ten times the text takes about ten times as long', () => {
  const lay = (text: string) => {
    width(text);
    wrap(text, 76);
    foldLine(safe(text), 76, ruler);
    clipMiddle(text, 40);
  };
  expect(slope(lay, `${whole.join('')}word `, 25)).toBeLessThan(25);
});
