// P3: how long a client waits until it knows that its message was taken. Ours is on disk by then.
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { bodyStream, type ChatStream, chatStream, type Door } from '../harness/chat-stream.ts';
import { compare } from '../harness/compare.ts';
import { doorOf, type Feedable } from '../harness/fed.ts';
import { fromBench, type Place } from '../harness/place.ts';
import { Program } from '../harness/program.ts';
import { type Goal, judge, type Row } from '../harness/row.ts';
import { median } from '../harness/stats.ts';
import { openClawHeaders, openClawRequest } from '../subject/openclaw-request.ts';

export const firstByteGoal: Goal = {
  id: 'P3',
  what: 'first byte after POST /v1/chat/completions, p50',
  against: 'reference/hop.ts, message synced',
  atMost: 1.8,
  whyNotYet:
    'What is on top is reading and classifying the request, and a transaction of four rows with its seal.',
};

export const largeFirstByteGoal: Goal = {
  ...firstByteGoal,
  what: 'the same for a request of OpenClaw, 118 kB',
  against: 'reference/hop.ts, same body, synced',
  atMost: 1.3,
  whyNotYet:
    'What is on top of parsing is in many small steps: OpenClaw’s blocks, its tools compared with those that are known, a transaction with its seal, and the script, which is told before the client is and answers at once.',
};

const pauseMs = 10;

type Say = (door: Door, message: { round: number; text: string }, onText: OnText) => Promise<ChatStream>;
type OnText = (text: string) => void;

export const say: Say = (door, { round, text }, onText) =>
  chatStream({ ...door, session: `first-byte-${round}`, text }, onText);
const sayLikeOpenClaw: Say = (door, { text }, onText) =>
  bodyStream(door, { body: openClawRequest(text), headers: openClawHeaders }, onText);

/** One message after the other over one connection. @throws when one of them did not get to who answers */
export function ask(server: Feedable, post: Say, requests: number): () => Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const door = { ...doorOf(server), agent };
  let round = 0;
  return async () => {
    round += 1;
    const ms: number[] = [];
    while (ms.length < requests) {
      let said = '';
      const text = `question ${round}.${ms.length}`;
      const { firstByteMs, ended } = await post(door, { round, text }, (part) => {
        said += part;
      });
      ms.push(firstByteMs);
      await ended;
      // Until all of the turn before is on disk: people do not write within a millisecond.
      await pause(pauseMs);
      if (!said.includes('You said')) throw new Error(`a message was answered with ${said}`);
    }
    return median(ms);
  };
}

async function measure({ home, env }: Place, goal: Goal, post: Say, requests: number): Promise<Row> {
  const stateDir = await home.directory('first-byte');
  await using bridge = await Program.start([fromBench('subject/core-bridge.ts'), stateDir], env);
  const kept = join(await home.directory('hop'), 'messages');
  await using hop = await Program.start([fromBench('reference/hop.ts'), kept], env);
  const contenders = { subject: ask(bridge, post, requests), reference: ask(hop, post, requests) };
  return judge(goal, await compare(contenders, { warmup: 6, counted: 9 }));
}

export const firstByte = (place: Place): Promise<Row> => measure(place, firstByteGoal, say, 50);
export const largeFirstByte = (place: Place): Promise<Row> =>
  measure(place, largeFirstByteGoal, sayLikeOpenClaw, 20);
