// One hostile text must not hold up everybody else: how long the bridge takes no other turn while it takes a message in,
// keeps it, types it and compares what was typed, and while it asks about a tool.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { shapes } from '../../texts/shapes.ts';
import { onlyHookDoor } from '../support/hook-door.ts';
import { Home } from '../support/program.ts';

const probe = resolve(import.meta.dirname, '../support/block-probe.js');

/** CPU time, so that a busy machine does not count. What is quadratic takes seconds for the short ones, minutes for the long. */
const limitMs = 1_000;

const tried: [shape: string, length: number][] = [
  ['letters', 200_000],
  ['blanks between letters', 20_000],
  ['tabs', 20_000],
  ['joiners', 20_000],
  ['unfinished OSCs in their C1 form', 20_000],
];

/** A bridge that says how long it was busy at a time since it was last asked. */
async function probed(home: Home) {
  const file = join(home.path, 'block.json');
  const bridge = await home.up({ env: { NODE_OPTIONS: `--import ${probe}`, BLOCK_FILE: file } });
  let reports = 0;
  const longest = async (): Promise<number> => {
    reports += 1;
    process.kill(bridge.at.pid, 'SIGUSR2');
    const report = await until('a report of the probe', () => {
      const read = readReport(file);
      return read?.reports === reports ? read : undefined;
    });
    return report.longest;
  };
  return { bridge, longest };
}

test('a message of 20,000 or 200,000 hostile characters leaves the bridge free for other requests', async () => {
  await using home = new Home();
  const { bridge, longest } = await probed(home);
  await bridge.ask('first', 'good morning');
  for (const [shape, length] of tried) {
    await longest();
    const asked = bridge.ask('first', shapes[shape]?.(length) ?? '');
    expect((await fetch(`${bridge.at.url}/healthz`)).status).toBe(200);
    await asked;
    expect(await longest(), `${length} of: ${shape}`).toBeLessThan(limitMs);
  }
}, 180_000);

test('a tool with 200,000 hostile characters, which a person is asked about, leaves it free, too', async () => {
  await using home = new Home();
  const { bridge, longest } = await probed(home);
  await bridge.ask('first', 'good morning');
  const { post } = onlyHookDoor(home.state);
  for (const shape of [
    'letters',
    'Windows line ends',
    'fences on lines',
    'unfinished strings of every C1 form',
  ]) {
    await longest();
    const tool_input = { command: shapes[shape]?.(200_000) ?? '' };
    const tool = { tool_name: 'Bash', tool_use_id: `toolu_${shape}`, tool_input };
    const asked = post('PermissionRequest', tool);
    const question = await until('the question', async () => {
      const { stdout } = await home.command('approvals', '--json');
      return JSON.parse(stdout)[0];
    });
    expect((await fetch(`${bridge.at.url}/healthz`)).status).toBe(200);
    expect(question.question.length).toBeGreaterThan(150_000);
    await home.command('deny', question.code);
    expect(await (await asked).json()).toMatchObject({
      hookSpecificOutput: { decision: { behavior: 'deny' } },
    });
    expect(await longest(), shape).toBeLessThan(limitMs);
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
