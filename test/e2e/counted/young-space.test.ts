import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { Home } from '../support/program.ts';

const preload = resolve(import.meta.dirname, '../support/young-objects.ts');

test('what one busy minute of a bridge has needed is not kept for as long as it runs', async () => {
  await using home = new Home();
  const seen = join(home.path, 'seen');
  const bridge = await home.up({ env: { NODE_OPTIONS: `--import ${preload}`, YOUNG_SPACE: seen } });
  process.kill(bridge.at.pid, 'SIGUSR2');
  await until('what it has seen', () => existsSync(seen) && readFileSync(seen, 'utf8') !== '');
  const { before, after } = JSON.parse(readFileSync(seen, 'utf8')) as { before: number; after: number };
  expect(before).toBeGreaterThan(0);
  // One of its halves may not have been there yet.
  expect(after).toBeLessThan(4 * before);
});
