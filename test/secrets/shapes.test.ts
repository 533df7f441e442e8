import { expect, test } from 'vitest';
import { type Shape, shaped } from '../../src/secrets/shapes.ts';

const shapes: readonly Shape[] = [
  { kind: 'whole', pattern: /ab\d/g },
  { kind: 'group', pattern: /name=([a-z]\d)/g, holds: (value) => value !== 'x0' },
];

test('tells where what has a shape is, its first group if it has one, and leaves out what is not meant', () => {
  const text = 'ab1 name=y2 ab3 name=x0 name=z4';
  const found = [...shaped(text, shapes)].map(({ start, end, kind }) => [
    kind,
    start,
    text.slice(start, end),
  ]);
  expect(found).toEqual([
    ['whole', 0, 'ab1'],
    ['whole', 12, 'ab3'],
    ['group', 9, 'y2'],
    ['group', 29, 'z4'],
  ]);
});
