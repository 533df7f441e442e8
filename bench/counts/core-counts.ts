// What a turn and a text cost in the bridge's core, in counts.
import { chatStream } from '../harness/chat-stream.ts';
import { fromBench, type Place } from '../harness/place.ts';
import { Program } from '../harness/program.ts';
import type { Counts } from './counts.ts';

type Done = Record<'syncs' | 'transactions' | 'writes' | 'rows' | 'bytes', number>;

/** Room for all that is allocated meanwhile, so that nothing is collected; no code is made faster in the middle of it. */
const flags = [
  '--min-semi-space-size=256',
  '--max-semi-space-size=256',
  '--no-opt',
  '--no-sparkplug',
  '--no-maglev',
];

const perTurn = ['rows', 'transactions', 'syncs'] as const;
const perText = ['rows', 'writes'] as const;

export async function coreCounts({ home, env }: Place): Promise<Counts> {
  const dir = await home.directory('core');
  await using bridge = await Program.start([...flags, fromBench('subject/counting-bridge.ts'), dir], env);
  const about = { url: bridge.text('url'), token: bridge.text('token') };
  const counts: Counts = {};
  const look = async (texts = 0) => (await bridge.ask({ texts }, 30_000)) as { before: Done; after: Done };
  /** In so many conversations that none has more than a minute allows. */
  const turn = async (n: number) => {
    const { ended } = await chatStream(
      { ...about, session: `turns-${n % 10}`, text: `question ${n}` },
      () => {},
    );
    await ended;
  };
  for (let n = 0; n < 20; n += 1) await turn(n);
  const turns = 50;
  const { after: from } = await look();
  for (let n = 0; n < turns; n += 1) await turn(20 + n);
  const { after: to } = await look();
  for (const each of perTurn)
    counts[`a turn: ${each}`] = Math.round(((to[each] - from[each]) / turns) * 10) / 10;
  await chatStream({ ...about, session: 'texts', text: 'stay' }, () => {});
  const texts = 2_000;
  await look(texts);
  const looks = [await look(texts), await look(texts), await look(texts)];
  const least = (each: keyof Done) =>
    Math.min(...looks.map(({ before, after }) => after[each] - before[each]));
  for (const each of perText) counts[`a text: ${each}`] = least(each) / texts;
  // A busy machine adds transactions, and what they allocate.
  counts['a text: bytes allocated'] = Math.round(least('bytes') / texts);
  return counts;
}
