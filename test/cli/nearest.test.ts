import { expect, test } from 'vitest';
import { nearest } from '../../src/cli/nearest.ts';

test.each([
  ['not', 'notes'],
  ['nots', 'notes'],
  ['notess', 'notes'],
  ['ntoes', 'notes'],
  ['fnid', 'find'],
  ['dcos', 'docs'],
  ['no', undefined],
  ['xyz', undefined],
  ['', undefined],
  ['n'.repeat(100_000), undefined],
])('"%.10s" was probably %s', (wanted, name) => {
  expect(nearest(wanted, ['find', 'docs', 'notes'])).toBe(name);
});

test('where there are no names, none is near', () => expect(nearest('notes', [])).toBeUndefined());
