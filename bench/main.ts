// `npm run bench`: speed as ratios to small references that are measured in the same run. See docs/reference/benchmarks.md.
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { newPlace, type Place, shipped } from './harness/place.ts';
import { renderRows } from './harness/render-rows.ts';
import { failed, type Goal, type Row } from './harness/row.ts';
import { delta, deltaGoal } from './rows/delta.ts';
import { firstByte, firstByteGoal } from './rows/first-byte.ts';
import { hook, hookGoal } from './rows/hook.ts';
import { growth, growthGoal, longAnswer, longestAnswer, longestGoal, longGoal } from './rows/long-answer.ts';
import { archivedGoal, archivedStart, unarchivedGoal, unarchivedStart } from './rows/long-journal.ts';
import { realClaude } from './rows/real-claude.ts';
import { largeScreen, largeScreenGoal, smallScreen, smallScreenGoal } from './rows/screen.ts';
import { besideGoal, besideSlowDisk, turnGoal, turnOnSlowDisk } from './rows/slow-disk.ts';
import {
  approve,
  approveGoal,
  bridgeReady,
  channelGoal,
  channelReply,
  help,
  helpGoal,
  ps,
  psGoal,
  upGoal,
} from './rows/start-up.ts';
import { texts, textsGoal } from './rows/texts.ts';
import { inMemoryCall, inMemoryGoal, resultGoal, resultGrowth, stdioCall, stdioGoal } from './rows/tools.ts';

const measurements: { goal: Goal; measure: (place: Place) => Promise<Row> }[] = [
  { goal: deltaGoal, measure: delta },
  { goal: hookGoal, measure: hook },
  { goal: firstByteGoal, measure: firstByte },
  { goal: approveGoal, measure: approve },
  { goal: helpGoal, measure: help },
  { goal: psGoal, measure: ps },
  { goal: channelGoal, measure: channelReply },
  { goal: upGoal, measure: bridgeReady },
  { goal: smallScreenGoal, measure: smallScreen },
  { goal: largeScreenGoal, measure: largeScreen },
  { goal: textsGoal, measure: texts },
  { goal: longGoal, measure: longAnswer },
  { goal: longestGoal, measure: longestAnswer },
  { goal: growthGoal, measure: growth },
  { goal: archivedGoal, measure: archivedStart },
  { goal: unarchivedGoal, measure: unarchivedStart },
  { goal: besideGoal, measure: besideSlowDisk },
  { goal: turnGoal, measure: turnOnSlowDisk },
  { goal: inMemoryGoal, measure: inMemoryCall },
  { goal: stdioGoal, measure: stdioCall },
  { goal: resultGoal, measure: resultGrowth },
];

const say = (text: string) => void process.stderr.write(`${text}\n`);

async function measureAll(only: readonly string[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { goal, measure } of measurements) {
    if (only.length > 0 && !only.includes(goal.id)) continue;
    say(`${goal.id} ${goal.what} …`);
    try {
      await using place = await newPlace();
      rows.push(await measure(place));
    } catch (error) {
      rows.push(failed(goal, error));
    }
  }
  return rows;
}

/** @returns the exit code: 1 when a goal was missed or could not be measured; an unsteady machine is nobody's fault. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { json: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
  });
  if (!existsSync(shipped.cli) || !existsSync(shipped.channel)) {
    say('There is nothing to measure yet. Run "npm run build" first.');
    return 1;
  }
  const only = values.only.split(',').filter(Boolean);
  const rows = await measureAll(only);
  const real = only.length === 0 || only.includes('real') ? await realClaude() : undefined;
  const machine = { node: process.version, platform: process.platform, cores: availableParallelism() };
  if (values.json) console.log(JSON.stringify({ machine, rows, real }, null, 2));
  else console.log([renderRows(rows), real?.words].filter(Boolean).join('\n\n'));
  return rows.every(({ verdict }) => verdict === 'pass' || verdict === 'unsteady') ? 0 : 1;
}

process.exitCode = await main();
