// P19: how the time of text functions grows. Every function that sees foreign text, over every hostile shape.
import { shapes } from '../../test/texts/shapes.ts';
import { textFunctions } from '../../test/texts/text-functions.ts';
import { type Goal, judge, type Row } from '../harness/row.ts';

/** Characters; the longer text has four times as many, which is two doublings. */
const shorter = 10_000;
const runs = 3;
/** What takes less for 40,000 characters holds nobody up, and is too short to be compared, ms. */
const leastMs = 20;

export const textsGoal: Goal = {
  id: 'P19',
  what: 'text functions over hostile shapes, slowest growth when the text is twice as long',
  against: 'the same with half of the text',
  atMost: 2.5,
  whyNotYet: 'A function searches again and again what it has searched before.',
};

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** The least of some runs: what is more was taken by the collector or the machine. */
const leastOf = (work: () => unknown): number =>
  Math.min(...Array.from({ length: runs }, () => timeOf(work)));

/** Again and again until it took long enough: some kernels count CPU time in steps of 10 ms. */
function timeOf(work: () => unknown, atLeastMs = 100): number {
  const before = cpuMs();
  for (let times = 1; ; times += 1) {
    work();
    const ms = cpuMs() - before;
    if (ms >= atLeastMs) return ms / times;
  }
}

export async function texts(): Promise<Row> {
  let worst = { growth: 0, ms: 0, name: 'nothing took long enough to be compared' };
  for (const [name, run] of Object.entries(textFunctions)) {
    for (const [shape, make] of Object.entries(shapes)) {
      const long = make(4 * shorter);
      if (timeOf(() => run(long), 0) < leastMs) continue;
      const ms = leastOf(() => run(long));
      const short = make(shorter);
      const growth = Math.sqrt(ms / leastOf(() => run(short)));
      if (growth > worst.growth) worst = { growth, ms, name: `${name}: ${shape}` };
    }
  }
  const row = judge(textsGoal, { subject: [worst.growth], reference: [1] });
  return {
    ...row,
    note: [row.note, `${worst.name}, ${worst.ms.toFixed(0)} ms for 40,000 characters.`]
      .filter(Boolean)
      .join(' '),
  };
}
