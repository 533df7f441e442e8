// P1: text that is known to the core becomes bytes of a client's stream.
import { chatStream } from '../harness/chat-stream.ts';
import { compare } from '../harness/compare.ts';
import { FrameSender } from '../harness/frame-sender.ts';
import { Latencies } from '../harness/latencies.ts';
import { paced } from '../harness/paced.ts';
import { fromBench, type Place } from '../harness/place.ts';
import { Program } from '../harness/program.ts';
import { type Goal, judge, type Row } from '../harness/row.ts';

const perSession = 20;
const roundMs = 1000;

export const deltaGoal: Goal = {
  id: 'P1',
  what: `text to SSE, p50, 100 sessions x ${perSession}/s, journal on`,
  against: 'reference/hop.ts, same frames',
  atMost: 1.3,
  whyNotYet:
    'What is on top is the core: deciding, folding and waking the reader; the journal writes text only every 10 ms.',
};

/** A server that is fed with frames and read as chat streams. @param sessions a multiple of 20 */
export async function feed(server: Program, sessions = 100): Promise<() => Promise<number>> {
  const latencies = new Latencies();
  const open = async (session: string): Promise<FrameSender> => {
    const ready = Promise.withResolvers<void>();
    const onText = (text: string) => {
      if (text.includes('ready')) ready.resolve();
      latencies.arrived(text);
    };
    await chatStream({ url: server.text('url'), token: server.text('token'), session, text: 'stay' }, onText);
    await ready.promise;
    return FrameSender.connect(server.text('frames'), session);
  };
  const senders: FrameSender[] = [];
  while (senders.length < sessions) {
    const batch = Array.from({ length: 20 }, (_, n) => open(`s${senders.length + n}`));
    senders.push(...(await Promise.all(batch)));
  }
  return async () => {
    await paced(sessions * perSession, roundMs, (n) => senders[n % sessions]?.send(latencies.next()));
    return latencies.median();
  };
}

export async function delta({ home, env }: Place): Promise<Row> {
  const stateDir = await home.directory('delta');
  await using bridge = await Program.start([fromBench('subject/core-bridge.ts'), stateDir], env);
  await using hop = await Program.start([fromBench('reference/hop.ts')], env);
  const contenders = { subject: await feed(bridge), reference: await feed(hop) };
  return judge(deltaGoal, await compare(contenders, { warmup: 2, counted: 11 }));
}
