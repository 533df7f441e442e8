// Searching in a transcript.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { highlighted, hitsAt, linesWith, oneText } from '../../../src/cli/tui/model/find.ts';
import { screen } from '../../../src/cli/tui/terminal/screen.ts';
import { type Line, line, lineText, span } from '../../../src/cli/tui/text/line.ts';
import { cost } from '../../support/cost.ts';
import { Seat } from './seat.ts';

const key = 'agent:main:main';

function reading(): Seat {
  const seat = new Seat(80, 24);
  seat.working(key);
  const lines = Array.from({ length: 200 }, (_, at) =>
    at % 50 === 7 ? `Line ${at} has a Needle` : `Line ${at}`,
  );
  seat.says(key, lines.join('\n'));
  seat.press('2');
  return seat;
}

/** What is painted as found, and what as the one that was found last. */
const found = (seat: Seat, tone: 'found' | 'chosen'): string[] =>
  screen(seat.model)
    .parts.flatMap((part) => (part.kind === 'rows' ? part.lines : part.left))
    .flat()
    .filter((each) => each.tone === tone)
    .map(({ text }) => text);

test('/ finds whatever the case, n and N go on and come around, and the count is shown', () => {
  const seat = reading();
  seat.press('g', '/', 'type:nEEdle', 'enter');
  expect(seat.screen).toContain('Line 7 has a Needle');
  expect(seat.rows.find((row) => row.includes('2 Transcript'))).toContain('/nEEdle  1 of 4');
  expect(found(seat, 'chosen')).toEqual(['Needle']);
  seat.press('n');
  expect(seat.screen).toContain('Line 57 has a Needle');
  expect(seat.screen).toContain('2 of 4');
  seat.press('N', 'N');
  expect(seat.screen).toContain('Line 157 has a Needle');
  expect(seat.screen).toContain('From the end again.');
  seat.press('n');
  expect(seat.screen).toContain('From the beginning again.');
  expect(seat.screen).toContain('1 of 4');
});

test('letters are text while it is typed, Esc there changes nothing, and Esc afterwards ends it', () => {
  const seat = reading();
  seat.press('/', 'type:qxDn!', 'esc');
  expect(seat.taken()).toEqual([]);
  expect(seat.model.ui.find).toBeUndefined();
  seat.press('/', 'type:Needle', 'enter', 'esc');
  expect(seat.screen).not.toContain('/Needle');
  expect(found(seat, 'chosen')).toEqual([]);
  expect(seat.model.ui.focus).toBe('transcript');
});

test('what is not there is said, and n without a search says how one begins', () => {
  const seat = reading();
  seat.press('/', 'type:nowhere', 'enter');
  expect(seat.screen).toContain('"nowhere" is not in this transcript.');
  seat.press('n');
  expect(seat.screen).toContain('/ begins');
});

test('it belongs to its session, and signs of a pattern are themselves', () => {
  const seat = reading();
  seat.says(key, '\na.c (x) [y] $1 \\d', 1);
  for (const words of ['a.c', '(x) [y] $1', '\\d', '.*']) {
    seat.press('g', '/', 'ctrl+u', `type:${words}`, 'enter');
    expect(seat.screen).toContain(words === '.*' ? 'is not in this transcript' : 'a.c (x) [y] $1');
  }
  seat.press('/', 'ctrl+u', 'type:Needle', 'enter');
  seat.working('other');
  seat.press('1', 'down', '2');
  expect(seat.screen).not.toContain('/Needle');
});

test('a highlighted line says what it said, in the same number of cells', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'İ', 'ß', '漢', ' ', '-', '.', '/', '[') });
  fc.assert(
    fc.property(fc.array(text, { maxLength: 5 }), text, (parts, words) => {
      const spans: Line = parts.map((part) => span(part, 'tool'));
      const shown = highlighted(spans, hitsAt([spans], 0, words), () => 'found');
      expect(lineText(shown)).toBe(lineText(spans));
      const has = linesWith([spans], words).length > 0;
      expect(shown.some(({ tone }) => tone === 'found')).toBe(has);
    }),
  );
});

test('words are found where a row ends in them, once, and are marked in both rows', () => {
  const seat = new Seat(40, 24);
  seat.working(key);
  seat.says(key, `${'x '.repeat(12)}every needle, every haystack\n    ${'y'.repeat(50)}END of it`);
  seat.press('2', '/', 'type:NEEDLE, every', 'enter');
  expect(seat.screen).toContain('1 of 1');
  expect(found(seat, 'chosen')).toEqual(['needle,', 'every']);
  seat.press('/', 'ctrl+u', 'type:yyend OF', 'enter');
  expect(found(seat, 'chosen').join('')).toBe('yyEND of');
});

test('rows of one text are looked through as the text that they are', () => {
  const sign = fc.constantFrom('a', 'B', 'İ', '漢', '.');
  const word = fc.string({ unit: sign, minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), fc.nat(7), fc.nat(7), (words, from, to) => {
      const looked = words.slice(from, to).join(' ');
      const rows = oneText(
        words.map((each) => [span('│ '), span(each)]),
        2,
      );
      const hits = rows.flatMap((row, at) =>
        hitsAt(rows, at, looked).map(({ from, to }) => lineText(row).slice(from, to)),
      );
      const sought = looked.replaceAll(' ', '');
      expect(hits.join('')).toBe(sought.repeat(hits.join('').length / sought.length || 0));
      expect(linesWith(rows, looked).length > 0).toBe(sought !== '');
      expect(hits.length > 0).toBe(sought !== '');
    }),
  );
});

test('ten times as many lines are looked through at about ten times the cost', () => {
  const looking = (count: number): number => {
    const all = Array.from({ length: count }, (_, at) => line(`line ${at} of a long answer`));
    return cost(() => expect(linesWith(all, '99 of A')).toHaveLength(count / 100));
  };
  const few = Math.max(0.005, looking(10_000));
  expect(looking(100_000) / few).toBeLessThan(25);
});
