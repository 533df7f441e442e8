// What is said of metrics, and what is built on them, against what there is.
import { expect, test } from 'vitest';
import { type Definition, definitions } from '../../src/bridge/metrics/definitions.ts';
import { page, rows } from './pages.ts';

test('the reference has every metric with its type, its labels and its help, and no other', () => {
  const listed = rows(page('docs/reference/metrics.md').text, 'Every metric').slice(1);
  const there = Object.entries(definitions).map(([name, { type, labels, help }]: [string, Definition]) => [
    `\`${name}\``,
    type,
    labels.map((label) => `\`${label}\``).join(', '),
    help,
  ]);
  expect(listed).toEqual(there);
});
