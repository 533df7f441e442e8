// P12: what a conversation costs in memory whose client waits on an open stream while nothing is written.
import { bodyStream, chatBody, type Door } from '../harness/chat-stream.ts';
import { compare } from '../harness/compare.ts';
import { fromBench, type Place } from '../harness/place.ts';
import { Program } from '../harness/program.ts';
import { type Goal, judge, type Row } from '../harness/row.ts';
import { openClawRequest } from '../subject/openclaw-request.ts';

interface Sessions {
  from: number;
  to: number;
  /** What each of them is asked. */
  body: string;
  /** `live`: after a collection, heap and what lies beside it. */
  memory: 'rss' | 'live';
}

const few: Sessions = { from: 500, to: 2_000, body: chatBody('stay'), memory: 'rss' };
const large: Sessions = { from: 50, to: 150, body: openClawRequest('stay'), memory: 'live' };
/** Memory varies little. */
const counts = { warmup: 0, counted: 2 };
/** Fewer than those who may knock at once. */
const atOnce = 50;

export const idleGoal: Goal = {
  id: 'P12',
  what: `memory of one more idle conversation, ${few.from} to ${few.to}: RSS`,
  against: 'reference/hop.ts, same clients',
  atMost: 1.5,
  unit: 'kB',
  whyNotYet:
    'What lives is 18 kB each, and 7 kB at the hop: a response keeps its generators, its timers and its turn.',
};

export const largeIdleGoal: Goal = {
  id: 'P12',
  what: `the same asked by OpenClaw, 118 kB, ${large.from} to ${large.to}: what lives`,
  against: 'reference/hop.ts, same clients',
  atMost: 3,
  unit: 'kB',
  whyNotYet: 'A response keeps its generators, its timers and its turn until it ends.',
};

/** Opens more of them. @returns what closes each */
async function open(door: Door, body: string, names: readonly string[]): Promise<(() => void)[]> {
  const streams = names.map(async (name) => {
    const ready = Promise.withResolvers<void>();
    const asked = { body, headers: { 'x-synthesis-session': name } };
    const stream = await bodyStream(door, asked, (text) => {
      if (text.includes('ready')) ready.resolve();
    });
    await ready.promise;
    return stream.close;
  });
  return Promise.all(streams);
}

/** @returns what one more of them takes, kB */
async function slope(program: Program, { from, to, body, memory }: Sessions): Promise<number> {
  const door = { url: program.text('url'), token: program.text('token') };
  const closes: (() => void)[] = [];
  const bytesAt = async (count: number) => {
    while (closes.length < count) {
      const names = Array.from({ length: atOnce }, (_, n) => `idle-${closes.length + n}`);
      closes.push(...(await open(door, body, names)));
    }
    return Number((await program.ask({ what: 'memory' }, 30_000))[memory]);
  };
  const before = await bytesAt(from);
  const after = await bytesAt(to);
  for (const close of closes) close();
  return (after - before) / (to - from) / 1000;
}

async function measure({ home, env }: Place, goal: Goal, sessions: Sessions): Promise<Row> {
  let rounds = 0;
  const slopeOf = async (...args: string[]) => {
    await using program = await Program.start(['--expose-gc', ...args], env);
    return await slope(program, sessions);
  };
  const subject = async () =>
    slopeOf(fromBench('subject/core-bridge.ts'), await home.directory(`idle-${rounds++}`));
  const reference = () => slopeOf(fromBench('reference/hop.ts'));
  return judge(goal, await compare({ subject, reference }, counts));
}

export const idle = (place: Place): Promise<Row> => measure(place, idleGoal, few);
export const largeIdle = (place: Place): Promise<Row> => measure(place, largeIdleGoal, large);
