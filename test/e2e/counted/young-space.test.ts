import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { Home } from '../support/program.ts';

const preload = resolve(import.meta.dirname, '../support/young-objects.ts');

test('a bridge does not keep for good what one busy minute has needed, and its next start makes no code anew', async () => {
  await using home = new Home();
  const [seen, caches] = [join(home.path, 'seen'), join(home.path, '.cache')];
  const env = { NODE_OPTIONS: `--import ${preload}`, YOUNG_SPACE: seen, XDG_CACHE_HOME: caches };
  const kept = () =>
    readdirSync(caches, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.kept'))
      .map((file) => [file, statSync(join(caches, file)).ino]);
  const bridge = await home.up({ env });
  await until('its start to be over', () => String(kept()).includes('host-starter'));

  process.kill(bridge.at.pid, 'SIGUSR2');
  await until('what it has seen', () => existsSync(seen) && readFileSync(seen, 'utf8') !== '');
  const { before, after } = JSON.parse(readFileSync(seen, 'utf8')) as { before: number; after: number };
  expect(before).toBeGreaterThan(0);
  // One of its halves may not have been there yet.
  expect(after).toBeLessThan(4 * before);

  const first = kept();
  await bridge.end();
  expect(kept()).toEqual(first);
  await (await home.up({ env })).end();
  expect(kept()).toEqual(first);
});
