import { expect, test } from 'vitest';
import { renderRows } from '../../bench/harness/render-rows.ts';
import { exitCodeOf, failed, type Goal, judge } from '../../bench/harness/row.ts';

const goal: Goal = { id: 'X1', what: 'something', against: 'another', atMost: 1, whyNotYet: 'It is so.' };
const steady = (ours: number) => ({ subject: [ours, ours, ours], reference: [10, 10, 11] });
const wild = { subject: [1, 1, 1], reference: [1, 10, 20] };

const { atMost: _, ...noGoal } = goal;

test.each([
  ['ahead', goal, steady(9), 'pass', 0],
  ['behind', goal, steady(12), 'miss', 1],
  ['a reference that varies', goal, wild, 'unsteady', 0],
  ['no goal', noGoal, steady(99), 'said', 0],
  ['no goal and a reference that varies', noGoal, wild, 'said', 0],
])('%s', (_name, asked, rounds, verdict, code) => {
  const row = judge(asked, rounds);
  expect(row.verdict).toBe(verdict);
  expect(exitCodeOf([row])).toBe(code);
});

test('what could not be measured is a failure, and says why', () => {
  const row = failed(goal, new Error('no such program'));
  expect(row).toMatchObject({
    verdict: 'failed',
    atMost: 1,
    note: expect.stringContaining('no such program'),
  });
  expect(exitCodeOf([row])).toBe(1);
});

test('a row without a goal shows none, and its ratio', () => {
  const [, line] = renderRows([judge(noGoal, steady(20))]).split('\n');
  expect(line).toMatch(/^X1 +something +20 ms +10 ms +2\.00x +- +said +another$/);
});
