// D1 and D2: what a disk whose syncs take long costs those who do not wait for it, and those who do.
import { setTimeout as pause } from 'node:timers/promises';
import { chatStream } from '../harness/chat-stream.ts';
import { compare } from '../harness/compare.ts';
import { fromBench, type Place } from '../harness/place.ts';
import { Program } from '../harness/program.ts';
import { type Goal, judge, type Row } from '../harness/row.ts';
import { median } from '../harness/stats.ts';
import { feed } from './delta.ts';

/** Milliseconds that a sync takes longer. */
const slowMs = 300;

export const besideGoal: Goal = {
  id: 'D1',
  what: `text to SSE, p50, 40 sessions, while messages are taken and a sync takes ${slowMs} ms`,
  against: 'the same on the disk as it is',
  atMost: 1.3,
  whyNotYet: 'Something still waits for the disk on the event loop.',
};

export const turnGoal: Goal = {
  id: 'D2',
  what: `a turn from POST to its end, while a sync takes ${slowMs} ms`,
  against: 'one such sync',
  atMost: 3.5,
  whyNotYet: 'More syncs stand one behind the other than a message needs: taken, handed over, ended.',
};

const startBridge = ({ env }: Place, stateDir: string, syncMs: number): Promise<Program> =>
  Program.start(
    ['--import', fromBench('harness/slow-sync.ts'), fromBench('subject/core-bridge.ts'), stateDir],
    { ...env, SLOW_SYNC_MS: String(syncMs) },
  );

/** Messages that are answered at once, in a session of their own. */
function talker(server: Program): () => Promise<number> {
  const about = { url: server.text('url'), token: server.text('token'), session: 'talker' };
  let n = 0;
  return async () => {
    const from = performance.now();
    const { ended } = await chatStream({ ...about, text: `question ${n++}` }, () => {});
    await ended;
    return performance.now() - from;
  };
}

/** The latency of streamed text, while somebody talks all the time. */
async function beside(server: Program): Promise<() => Promise<number>> {
  const texts = await feed(server, 40);
  const talk = talker(server);
  return async () => {
    let isOver = false;
    const round = texts().finally(() => {
      isOver = true;
    });
    while (!isOver) await Promise.all([talk(), pause(200)]);
    return round;
  };
}

export async function besideSlowDisk(place: Place): Promise<Row> {
  await using slow = await startBridge(place, await place.home.directory('slow'), slowMs);
  await using asItIs = await startBridge(place, await place.home.directory('as-it-is'), 0);
  const contenders = { subject: await beside(slow), reference: await beside(asItIs) };
  return judge(besideGoal, await compare(contenders, { warmup: 1, counted: 9 }));
}

export async function turnOnSlowDisk(place: Place): Promise<Row> {
  await using slow = await startBridge(place, await place.home.directory('slow'), slowMs);
  const talk = talker(slow);
  const turn = async () => median([await talk(), await talk(), await talk()]);
  const reference = async () => slowMs;
  return judge(turnGoal, await compare({ subject: turn, reference }, { warmup: 1, counted: 5 }));
}
