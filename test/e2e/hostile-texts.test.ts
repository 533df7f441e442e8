// One hostile message must not hold up everybody else: how long the bridge takes no other turn while it takes the
// message in, keeps it, types it and compares what was typed.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { shapes } from '../texts/shapes.ts';
import { Home } from './support/program.ts';

const probe = resolve(import.meta.dirname, 'support/block-probe.js');

/** CPU time, so that a busy machine does not count. What is quadratic takes seconds for the short ones, minutes for the long. */
const limitMs = 1_000;

const tried: [shape: string, length: number][] = [
  ['letters', 200_000],
  ['blanks between letters', 20_000],
  ['tabs', 20_000],
  ['joiners', 20_000],
  ['unfinished OSCs in their C1 form', 20_000],
];

test('a message of 20,000 or 200,000 hostile characters leaves the bridge free for other requests', async () => {
  await using home = new Home();
  const file = join(home.path, 'block.json');
  const bridge = await home.up({ env: { NODE_OPTIONS: `--import ${probe}`, BLOCK_FILE: file } });
  let reports = 0;
  const longest = () => {
    reports += 1;
    process.kill(bridge.at.pid, 'SIGUSR2');
    return until('a report of the probe', () => {
      const report = readReport(file);
      return report?.reports === reports ? report : undefined;
    });
  };
  await bridge.ask('first', 'good morning');
  for (const [shape, length] of tried) {
    await longest();
    const asked = bridge.ask('first', shapes[shape]?.(length) ?? '');
    expect((await fetch(`${bridge.at.url}/healthz`)).status).toBe(200);
    await asked;
    expect((await longest()).longest, `${length} of: ${shape}`).toBeLessThan(limitMs);
  }
}, 180_000);

function readReport(file: string): { reports: number; longest: number } | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as { reports: number; longest: number };
  } catch {
    // Not written yet, or half of it.
    return undefined;
  }
}
