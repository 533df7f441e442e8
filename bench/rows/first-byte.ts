// P3: how long a client waits until it knows that its message was taken. Ours is on disk by then.
import { Agent } from 'node:http';
import { chatStream } from '../harness/chat-stream.ts';
import { compare } from '../harness/compare.ts';
import { fromBench, type Place } from '../harness/place.ts';
import { Program } from '../harness/program.ts';
import { type Goal, judge, type Row } from '../harness/row.ts';
import { median } from '../harness/stats.ts';

const requests = 400;

export const firstByteGoal: Goal = {
  id: 'P3',
  what: 'first byte after POST /v1/chat/completions, p50',
  against: 'reference/hop.ts',
  atMost: 1.5,
  whyNotYet:
    'Half is the sync to disk before the first byte, because 200 promises that the message cannot get lost; the rest is reading and classifying a request, which the hop does not do.',
};

/** One message after the other over one connection. */
function ask(server: Program): () => Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const request = { url: server.text('url'), token: server.text('token'), session: 'first-byte', agent };
  let n = 0;
  return async () => {
    const ms: number[] = [];
    while (ms.length < requests) {
      const { firstByteMs, ended } = await chatStream({ ...request, text: `question ${n++}` }, () => {});
      ms.push(firstByteMs);
      await ended;
    }
    return median(ms);
  };
}

export async function firstByte({ home, env }: Place): Promise<Row> {
  const stateDir = await home.directory('first-byte');
  await using bridge = await Program.start([fromBench('subject/core-bridge.ts'), stateDir], env);
  await using hop = await Program.start([fromBench('reference/hop.ts')], env);
  const rounds = await compare({ subject: ask(bridge), reference: ask(hop) }, { warmup: 3, counted: 15 });
  return judge(firstByteGoal, rounds);
}
