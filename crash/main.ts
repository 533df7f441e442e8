// `npm run test:crash`: the built bridge is broken in every way of the table, again and again, and a checker reads what
// its clients wrote down. See docs/reference/crash-matrix.md.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Outcome, Row } from './row.ts';
import { rows } from './rows.ts';
import { runRow } from './run-row.ts';

const { values } = parseArgs({
  options: {
    row: { type: 'string', default: '' },
    seed: { type: 'string' },
    kills: { type: 'string', default: '50' },
    minutes: { type: 'string', default: '4' },
    json: { type: 'boolean', default: false },
  },
});

/** Violations of one history on the screen; all of them are in what is kept. */
const mostShown = 10;

const say = (text: string) => void process.stderr.write(`${text}\n`);

/** With a seed one history is played; without, two of half the kills each: one for each road to Claude. */
function historiesOf(kills: number): { seed: number; kills: number }[] {
  if (values.seed !== undefined) return [{ seed: Number(values.seed), kills }];
  const seed = 2 * Math.floor(Math.random() * 1_000_000);
  const half = Math.ceil(kills / 2);
  return half === kills ? [{ seed, kills }] : [seed, seed + 1].map((each) => ({ seed: each, kills: half }));
}

async function play(row: Row): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const histories = historiesOf(Number(values.kills));
  for (const { seed, kills } of histories) {
    const replay = `npm run test:crash -- --row ${row.name} --seed ${seed} --kills ${kills}`;
    say(replay);
    const lateMs = (Number(values.minutes) * 60_000) / histories.length;
    const outcome = await runRow(row, { seed, kills, lateMs });
    for (const { rule, words } of outcome.violations.slice(0, mostShown)) say(`  ${rule}: ${words}`);
    if (outcome.violations.length > mostShown) say(`  and ${outcome.violations.length - mostShown} more`);
    say(`  ${outcome.kills} kills, ${outcome.checks} checks, ${Math.round(outcome.seconds)} s`);
    if (outcome.kept) say(`  kept in ${outcome.kept}`);
    outcomes.push(outcome);
  }
  return outcomes;
}

async function main(): Promise<number> {
  if (!existsSync(resolve(import.meta.dirname, '../dist/demo/claude.js'))) {
    say('There is nothing to break yet. Run "npm run build" first.');
    return 1;
  }
  const wanted = values.row.split(',').filter(Boolean);
  const unknown = wanted.filter((name) => !rows.some((row) => row.name === name));
  if (unknown.length > 0) {
    say(`No such row: ${unknown.join(', ')}. There are ${rows.map(({ name }) => name).join(', ')}.`);
    return 1;
  }
  const outcomes: Outcome[] = [];
  for (const row of rows) {
    if (wanted.length === 0 || wanted.includes(row.name)) outcomes.push(...(await play(row)));
  }
  if (values.json) console.log(JSON.stringify(outcomes, null, 2));
  else
    console.table(
      outcomes.map(({ row, seed, kills, checks, violations, seconds }) => ({
        row,
        seed,
        kills,
        checks,
        violations: violations.length,
        seconds: Math.round(seconds),
      })),
    );
  return outcomes.every(({ violations }) => violations.length === 0) ? 0 : 1;
}

process.exitCode = await main();
