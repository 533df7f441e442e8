import { expect, test } from 'vitest';
import { rows } from '../../crash/rows.ts';
import { page, rows as tableRows } from '../docs/pages.ts';

test('the reference describes every row as it is', () => {
  const table = tableRows(page('docs/reference/crash-matrix.md').text, 'The rows').slice(1);
  expect(table).toEqual(rows.map(({ name, does, holds }) => [`\`${name}\``, does, holds]));
});
