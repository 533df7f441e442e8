import type { Grown } from './heap.ts';
import { fromBench, type Place } from './place.ts';
import { Program } from './program.ts';
import { readTurn } from './readers.ts';

/** An answer of 100,000 lines takes so long at most, milliseconds. */
export const patienceMs = 300_000;

export interface Clients {
  reading: number;
  /** Stand still until the answer is there. */
  stalled: number;
}

/** A bridge that writes answers as long as it is asked to: subject/long-answer.ts. */
export class LongAnswers implements AsyncDisposable {
  readonly #program: Program;
  #turns = 0;

  private constructor(program: Program) {
    this.#program = program;
  }

  static async start({ home, env }: Place): Promise<LongAnswers> {
    const args = ['--expose-gc', fromBench('subject/long-answer.ts'), await home.directory('long')];
    return new LongAnswers(await Program.start(args, env));
  }

  /**
   * @param looks how often it is looked at what lives, see `grow`
   * @throws when a client does not get all of it
   */
  async write(lines: number, clients: Clients, looks?: number): Promise<Grown> {
    const session = `long-${++this.#turns}`;
    const at = { url: this.#program.text('url'), token: this.#program.text('token') };
    const readers = await readTurn({ ...at, ...clients, session });
    const grown = await this.#program.ask({ lines, looks }, patienceMs);
    const short = (await readers.lengths()).filter((length) => length !== grown.length);
    if (short.length > 0) throw new Error(`a client got ${short[0]} characters`);
    return grown as unknown as Grown;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#program[Symbol.asyncDispose]();
  }
}
