import { expect, test } from 'vitest';
import { grown, type Sample } from '../../soak/sample.ts';

const megabyte = 2 ** 20;
const warm: Sample = { rss: 200 * megabyte, heap: 60 * megabyte, sockets: 0, timers: 2, files: 27, rows: 10 };

test('what the collector leaves and what the journal gains is no growth', () => {
  const later = { ...warm, rss: 240 * megabyte, heap: 65 * megabyte, timers: 4, files: 28, rows: 1_000_000 };
  expect(grown(warm, later)).toEqual([]);
});

test.each([
  ['rss', 260 * megabyte],
  ['heap', 75 * megabyte],
  ['sockets', 1],
  ['timers', 6],
  ['files', 30],
])('%s that grows is named', (kind, value) => {
  const words = grown(warm, { ...warm, [kind]: value });
  expect(words).toHaveLength(1);
  expect(words[0]).toContain(`${kind} grew from`);
});
