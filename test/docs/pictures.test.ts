// The pictures of the list: whatever the size, who waits for the operator is seen first.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const folder = resolve(import.meta.dirname, '../../docs/pictures');

/** The rows of a picture, from the top. */
function rowsOf(svg: string): string[] {
  const rows = new Map<number, string>();
  for (const [, y, text = ''] of svg.matchAll(/<text x="[\d.]+" y="([\d.]+)" textLength[^>]*>([^<]*)</g))
    rows.set(Number(y), `${rows.get(Number(y)) ?? ''} ${text}`);
  return [...rows].sort(([a], [b]) => a - b).map(([, text]) => text);
}

test.each(
  ['three', 'fifty'].flatMap((name) =>
    ['80x24', '120x40', '200x50', '40x12'].flatMap((size) =>
      ['dark', 'light'].map((theme) => `${name}-${size}-${theme}.svg`),
    ),
  ),
)('%s shows the session that asks in the first row of the list', (file) => {
  const [title, pane, head, first] = rowsOf(readFileSync(`${folder}/${file}`, 'utf8'));
  expect(title).toContain('1 to answer');
  expect(pane).toMatch(/1 +Sessions/);
  expect(head).toContain('SESSION');
  expect(first).toMatch(/▸ telegram group .*▲ asking/);
});
