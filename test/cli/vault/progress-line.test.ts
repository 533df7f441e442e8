// The row that says how far the index is.
import { expect, test } from 'vitest';
import { progressLine, timeText } from '../../../src/cli/output/live/progress-line.ts';
import { width as cellsOf } from '../../../src/cli/text/width.ts';

test('it says how many notes of how many, how much that is, and how long the rest takes', () => {
  expect(progressLine({ done: 1_200, total: 10_000, leftMs: 12_000, of: 'notes' }, 80)).toBe(
    '1,200 of 10,000 notes  [███░░░░░░░░░░░░░░░░░░░░░░░░░░░]  12 s left',
  );
  expect(progressLine({ done: 10, total: 10, leftMs: 0, of: 'notes' }, 80)).toContain('[██████████');
});

test('nobody is told how long the rest takes before it can be told', () => {
  expect(progressLine({ done: 0, total: 10_000, leftMs: null, of: 'notes' }, 80)).not.toContain('left');
});

test('it is narrower than the terminal, however narrow that is, and loses the bar first', () => {
  for (let columns = 1; columns <= 200; columns += 1) {
    const line = progressLine({ done: 123_456, total: 200_000, leftMs: 95_000, of: 'notes' }, columns);
    expect(cellsOf(line), String(columns)).toBeLessThan(columns);
  }
  expect(progressLine({ done: 1_200, total: 10_000, leftMs: 12_000, of: 'notes' }, 42)).toBe(
    '1,200 of 10,000 notes  [░░░░░]  12 s left',
  );
  expect(progressLine({ done: 1_200, total: 10_000, leftMs: 12_000, of: 'notes' }, 38)).toBe(
    '1,200 of 10,000 notes  12 s left',
  );
});

test.each([
  [0, '0 s'],
  [350, '0.3 s'],
  [3_000, '3 s'],
  [9_949, '9.9 s'],
  [12_400, '12 s'],
  [99_499, '99 s'],
  [180_000, '3 min'],
])('%d ms is %s', (ms, text) => {
  expect(timeText(ms)).toBe(text);
});
