// `npm run bench:peers`: programs that people do use, in the same run. See docs/reference/benchmarks.md.
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { newPlace, shipped } from '../harness/place.ts';
import { renderRows } from '../harness/render-rows.ts';
import { exitCodeOf, failed, type Goal, type Row } from '../harness/row.ts';
import { claudeCli, claudeCliGoals } from './claude-cli-rows.ts';
import { portkey, portkeyGoals } from './portkey-row.ts';

interface Peer {
  name: string;
  goals: readonly Goal[];
  /** @param rounds conversations that count */
  measure(rounds: number): Promise<Row[]>;
}

const peers: readonly Peer[] = [
  {
    name: 'portkey',
    goals: portkeyGoals,
    measure: async () => {
      await using place = await newPlace();
      return portkey(place);
    },
  },
  { name: 'claude-cli', goals: claudeCliGoals, measure: claudeCli },
];

const say = (text: string) => void process.stderr.write(`${text}\n`);

async function rowsOf({ name, goals, measure }: Peer, rounds: number): Promise<Row[]> {
  say(`${name} …`);
  try {
    return await measure(rounds);
  } catch (error) {
    return goals.map((goal) => failed(goal, error));
  }
}

/** @returns the exit code */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '8' },
      json: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
    },
  });
  const rounds = Number(values.rounds);
  const asked = peers.filter(({ name }) => values.only === '' || values.only.split(',').includes(name));
  if (!Number.isInteger(rounds) || rounds < 1 || asked.length === 0) {
    say(`--rounds is a number from 1 on; --only names some of ${peers.map(({ name }) => name).join(',')}.`);
    return 1;
  }
  if (!existsSync(shipped.cli) || !existsSync(shipped.channel)) {
    say('There is nothing to measure yet. Run "npm run build" first.');
    return 1;
  }
  const rows: Row[] = [];
  for (const peer of asked) rows.push(...(await rowsOf(peer, rounds)));
  const machine = { node: process.version, platform: process.platform, cores: availableParallelism() };
  console.log(values.json ? JSON.stringify({ machine, rows }, null, 2) : renderRows(rows));
  return exitCodeOf(rows);
}

process.exitCode = await main();
