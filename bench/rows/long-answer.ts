// M1, M2: what an answer costs in memory while ten clients read it, one of which stands still. M3: how its time grows.
import { compare } from '../harness/compare.ts';
import type { Grown } from '../harness/heap.ts';
import { fromBench, type Place } from '../harness/place.ts';
import { Program } from '../harness/program.ts';
import { readTurn } from '../harness/readers.ts';
import { type Goal, judge, type Row } from '../harness/row.ts';

const reading = 9;
/** An answer of 100,000 lines takes so long at most, milliseconds. */
const patienceMs = 300_000;

const memoryGoal = (id: string, lines: number, atMost: number): Goal => ({
  id,
  what: `an answer of ${lines} lines, read by ${reading + 1} clients, one of them stalled: memory`,
  against: 'reference/lines.ts: the same lines in an array',
  atMost,
  unit: 'MB',
  whyNotYet: 'A reader keeps what it has sent, or the text is kept more than once.',
});
export const longGoal = memoryGoal('M1', 12_000, 2);
export const longestGoal = memoryGoal('M2', 100_000, 1.3);

const times = 10;
const fewLines = 5_000;
export const growthGoal: Goal = {
  id: 'M3',
  what: `an answer of ${times * fewLines} lines, read by a client: CPU time`,
  against: `${fewLines} lines`,
  atMost: times * 1.3,
  whyNotYet: 'Each line looks again at what came before it.',
};

class LongAnswers implements AsyncDisposable {
  readonly #program: Program;
  #turns = 0;

  private constructor(program: Program) {
    this.#program = program;
  }

  static async start({ home, env }: Place): Promise<LongAnswers> {
    const args = ['--expose-gc', fromBench('subject/long-answer.ts'), await home.directory('long')];
    return new LongAnswers(await Program.start(args, env));
  }

  /** @throws when a client does not get all of it */
  async write(lines: number, clients: number): Promise<Grown> {
    const session = `long-${++this.#turns}`;
    const at = { url: this.#program.text('url'), token: this.#program.text('token') };
    const readers = await readTurn({ ...at, session, reading: clients });
    const grown = await this.#program.ask({ lines }, patienceMs);
    const short = (await readers.lengths()).filter((length) => length !== grown.length);
    if (short.length > 0) throw new Error(`a client got ${short[0]} characters`);
    return grown as unknown as Grown;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#program[Symbol.asyncDispose]();
  }
}

const megabytes = ({ bytes }: Grown): number => bytes / 1_000_000;

async function memory(place: Place, goal: Goal, lines: number, counted: number): Promise<Row> {
  await using answers = await LongAnswers.start(place);
  await using array = await Program.start(['--expose-gc', fromBench('reference/lines.ts')], place.env);
  const contenders = {
    subject: async () => megabytes(await answers.write(lines, reading)),
    reference: async () => megabytes((await array.ask({ lines }, patienceMs)) as unknown as Grown),
  };
  return judge(goal, await compare(contenders, { warmup: 1, counted }));
}

export const longAnswer = (place: Place): Promise<Row> => memory(place, longGoal, 12_000, 5);
export const longestAnswer = (place: Place): Promise<Row> => memory(place, longestGoal, 100_000, 3);

export async function growth(place: Place): Promise<Row> {
  await using answers = await LongAnswers.start(place);
  const cpuMs = async (lines: number) => (await answers.write(lines, 1)).cpuMs;
  const contenders = { subject: () => cpuMs(times * fewLines), reference: () => cpuMs(fewLines) };
  return judge(growthGoal, await compare(contenders, { warmup: 1, counted: 3 }));
}
