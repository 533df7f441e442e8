// `npm run bench`: speed as ratios to small references that are measured in the same run. See docs/reference/benchmarks.md.
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { newPlace, type Place, shipped } from './harness/place.ts';
import { renderRows } from './harness/render-rows.ts';
import { exitCodeOf, failed, type Goal, type Row } from './harness/row.ts';
import { adopting, adoptingGoal } from './rows/adopting.ts';
import { channelMemory, channelMemoryGoal } from './rows/channel-memory.ts';
import { copies, copyGoals } from './rows/copies.ts';
import { copiesGrowth, copiesGrowthGoals } from './rows/copies-growth.ts';
import { delta, deltaGoal } from './rows/delta.ts';
import { costGoal, costOfSessions, deltaCost, sessionsGoal } from './rows/delta-cost.ts';
import { firstByte, firstByteGoal, largeFirstByte, largeFirstByteGoal } from './rows/first-byte.ts';
import { answerGrowth, answerGrowthGoal, sessionGrowth, sessionGrowthGoal } from './rows/growth.ts';
import { hook, hookGoal } from './rows/hook.ts';
import { key, keyGoal, posted, postGoals } from './rows/host.ts';
import { memory, memoryGoals, output, outputGoal, replay, replayGoal } from './rows/host-cost.ts';
import { idle, idleGoal, largeIdle, largeIdleGoal } from './rows/idle-sessions.ts';
import { durableRow, rowGoal, throughput, throughputGoal } from './rows/journal-cost.ts';
import { lentCall, lentCallGoal, lentResultGoal } from './rows/lent-call.ts';
import {
  growth,
  growthGoal,
  longAnswer,
  longestAnswer,
  longestGoal,
  longGoal,
  streamed,
  streamedGoal,
} from './rows/long-answer.ts';
import { archivedGoal, archivedStart, unarchivedGoal, unarchivedStart } from './rows/long-journal.ts';
import { judgedCommand, judgedGoal, judgedGrowth, judgedGrowthGoal } from './rows/policy.ts';
import { realClaude } from './rows/real-claude.ts';
import { recovery, recoveryGoal } from './rows/recovery.ts';
import { relay, relayGoal } from './rows/relay.ts';
import { largeScreen, largeScreenGoal, smallScreen, smallScreenGoal } from './rows/screen.ts';
import { besideGoal, besideSlowDisk, turnGoal, turnOnSlowDisk } from './rows/slow-disk.ts';
import { spareGoals, spareHost } from './rows/spare-host.ts';
import { stalledClient, stalledGoals } from './rows/stalled-client.ts';
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
import { takeover, takeoverGoals } from './rows/takeover.ts';
import { texts, textsGoal } from './rows/texts.ts';
import { inMemoryCall, inMemoryGoal, resultGoal, resultGrowth, stdioCall, stdioGoal } from './rows/tools.ts';
import { tunnelGoals, tunnels } from './rows/tunnel.ts';
import { indexGoals, vaultIndex } from './rows/vault-index.ts';
import { besideVault, loopGoal } from './rows/vault-loop.ts';
import { searchGoals, vaultSearch } from './rows/vault-search.ts';
import { vaultVectors, vectorGoals } from './rows/vault-vectors.ts';

interface Measurement {
  /** Of its rows. */
  goals: readonly Goal[];
  measure(place: Place): Promise<Row[]>;
}

const one = (goal: Goal, measure: (place: Place) => Promise<Row>): Measurement => ({
  goals: [goal],
  measure: async (place) => [await measure(place)],
});

/** What people feel with every message and command: some minutes. */
const often: readonly Measurement[] = [
  one(deltaGoal, delta),
  one(hookGoal, hook),
  one(firstByteGoal, firstByte),
  one(largeFirstByteGoal, largeFirstByte),
  one(costGoal, deltaCost),
  one(rowGoal, durableRow),
  one(approveGoal, approve),
  one(helpGoal, help),
  one(psGoal, ps),
  one(channelGoal, channelReply),
  one(channelMemoryGoal, channelMemory),
  one(upGoal, bridgeReady),
  one(recoveryGoal, recovery),
  one(keyGoal, key),
  { goals: postGoals, measure: posted },
  { goals: spareGoals, measure: spareHost },
  { goals: [lentCallGoal, lentResultGoal], measure: lentCall },
];

/** How all of it grows, and what long answers, journals and vaults cost: a quarter of an hour more. */
const seldom: readonly Measurement[] = [
  one(throughputGoal, throughput),
  one(sessionsGoal, costOfSessions),
  one(idleGoal, idle),
  one(largeIdleGoal, largeIdle),
  { goals: stalledGoals, measure: stalledClient },
  one(smallScreenGoal, smallScreen),
  one(largeScreenGoal, largeScreen),
  one(textsGoal, texts),
  one(longGoal, longAnswer),
  one(longestGoal, longestAnswer),
  one(growthGoal, growth),
  one(streamedGoal, streamed),
  one(sessionGrowthGoal, sessionGrowth),
  one(answerGrowthGoal, answerGrowth),
  one(archivedGoal, archivedStart),
  one(unarchivedGoal, unarchivedStart),
  one(besideGoal, besideSlowDisk),
  one(turnGoal, turnOnSlowDisk),
  one(inMemoryGoal, inMemoryCall),
  one(stdioGoal, stdioCall),
  one(resultGoal, resultGrowth),
  one(judgedGoal, judgedCommand),
  one(judgedGrowthGoal, judgedGrowth),
  { goals: indexGoals, measure: vaultIndex },
  { goals: searchGoals, measure: vaultSearch },
  one(loopGoal, besideVault),
  { goals: vectorGoals, measure: vaultVectors },
  { goals: memoryGoals, measure: memory },
  one(outputGoal, output),
  one(replayGoal, replay),
  one(adoptingGoal, adopting),
  { goals: tunnelGoals, measure: tunnels },
  one(relayGoal, relay),
  { goals: copyGoals, measure: copies },
  { goals: takeoverGoals, measure: takeover },
  { goals: copiesGrowthGoals, measure: copiesGrowth },
];

const say = (text: string) => void process.stderr.write(`${text}\n`);

async function measureAll(measurements: readonly Measurement[], only: readonly string[]): Promise<Row[]> {
  const rows: Row[] = [];
  const isAsked = ({ id }: { id: string }) => only.length === 0 || only.includes(id);
  for (const { goals, measure } of measurements) {
    const asked = goals.filter(isAsked);
    if (asked.length === 0) continue;
    for (const { id, what } of asked) say(`${id} ${what} …`);
    try {
      await using place = await newPlace();
      rows.push(...(await measure(place)).filter(isAsked));
    } catch (error) {
      rows.push(...asked.map((goal) => failed(goal, error)));
    }
  }
  return rows;
}

/** @returns the exit code */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      all: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
    },
  });
  if (!existsSync(shipped.cli) || !existsSync(shipped.channel)) {
    say('There is nothing to measure yet. Run "npm run build" first.');
    return 1;
  }
  const only = values.only.split(',').filter(Boolean);
  const isWhole = values.all || only.length > 0;
  const rows = await measureAll(isWhole ? [...often, ...seldom] : often, only);
  const real = values.all || only.includes('real') ? await realClaude() : undefined;
  const machine = { node: process.version, platform: process.platform, cores: availableParallelism() };
  if (values.json) console.log(JSON.stringify({ machine, rows, real }, null, 2));
  else console.log([renderRows(rows), real?.words].filter(Boolean).join('\n\n'));
  return exitCodeOf(rows);
}

process.exitCode = await main();
