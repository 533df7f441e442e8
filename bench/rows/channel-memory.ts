// P10: what every session's channel server keeps in memory while it has nothing to do.
import { setTimeout as delay } from 'node:timers/promises';
import { compare } from '../harness/compare.ts';
import { initialized } from '../harness/initialized.ts';
import { fromBench, type Place, shipped } from '../harness/place.ts';
import { residentBytes } from '../harness/process-cost.ts';
import { type Goal, judge, type Row } from '../harness/row.ts';

/** Until what a start needed is given back, ms. */
const settleMs = 500;

export const channelMemoryGoal: Goal = {
  id: 'P10',
  what: 'channel server, after its initialize reply: resident memory',
  against: 'reference/stdio-echo.js',
  atMost: 1.5,
  unit: 'MB',
  whyNotYet: 'The MCP SDK and the schemas are all loaded before the first message is read.',
};

export async function channelMemory({ env }: Place): Promise<Row> {
  const megabytesOf = (script: string) => async () => {
    await using server = await initialized(script, env);
    await delay(settleMs);
    return residentBytes(server.pid) / 1_000_000;
  };
  const subject = megabytesOf(shipped.channel);
  const reference = megabytesOf(fromBench('reference/stdio-echo.js'));
  return judge(channelMemoryGoal, await compare({ subject, reference }, { warmup: 1, counted: 5 }));
}
