import { expect, test } from 'vitest';
import { exponentOf } from '../../bench/harness/growth.ts';

const sizes = [1, 10, 100, 1000];
const curve = (cost: (size: number) => number) => sizes.map((size) => ({ size, cost: cost(size) }));

test.each([
  ['one cost for all', 0, (_: number) => 7],
  ['a root', 0.5, (size: number) => 3 * Math.sqrt(size)],
  ['a straight line', 1, (size: number) => 0.2 * size],
  ['a square', 2, (size: number) => 0.001 * size ** 2],
])('%s has its power', (_, power, cost) => {
  expect(exponentOf(curve(cost))).toBeCloseTo(power, 10);
});

test('noise to both sides leaves the power', () => {
  const noise = [1.1, 0.9, 0.9, 1.1];
  const points = sizes.map((size, at) => ({ size, cost: size * (noise[at] ?? 1) }));
  expect(exponentOf(points)).toBeCloseTo(1, 2);
});

test('a logarithm on top shows above 1', () => {
  expect(exponentOf(curve((size) => size * Math.log2(size + 1)))).toBeGreaterThan(1.2);
});

test.each([
  ['nothing', []],
  ['a single size', [{ size: 5, cost: 1 }]],
  ['one size twice', [5, 5].map((size) => ({ size, cost: size }))],
  ['a cost of nothing', [1, 2].map((size) => ({ size, cost: size - 1 }))],
])('%s has no power', (_, points) => {
  expect(() => exponentOf(points)).toThrow('no line');
});
