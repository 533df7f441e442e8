import { createInterface } from 'node:readline';
import { setImmediate } from 'node:timers/promises';

/** What lives in this process, heap and beside it, bytes. @throws without `--expose-gc` */
export function liveBytes(): number {
  if (!globalThis.gc) throw new Error('start it with --expose-gc');
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const words = 'some words of a line of a long answer '.repeat(6).slice(0, 190);

/** Characters of a line, all of them ASCII. */
export const lineLength = 200;

/** One line of a long answer, 200 characters, as it comes out of JSON: it shares nothing with another. */
const lineOf = (n: number): string => JSON.parse(`"${String(n).padStart(8, '0')} ${words}\\n"`);

export interface Grown {
  /** The most that lived at one of the looks, above what lived before, bytes. */
  bytes: number;
  /** CPU time of the process, without the looks, milliseconds. */
  cpuMs: number;
}

/**
 * Writes `lines` lines, each in a turn of the event loop of its own.
 * @param looks how often it is looked at what lives; with 0 nothing is collected either
 */
export async function grow(
  lines: number,
  write: (line: string, index: number) => void,
  looks = 10,
): Promise<Grown> {
  const live = looks > 0 ? liveBytes : () => 0;
  const parts = Math.max(1, looks);
  const before = live();
  let bytes = 0;
  let cpuMs = 0;
  for (let part = 0; part < parts; part += 1) {
    const from = process.cpuUsage();
    const [start, end] = [part, part + 1].map((n) => Math.floor((n * lines) / parts));
    for (let index = start ?? 0; index < (end ?? 0); index += 1) {
      write(lineOf(index), index);
      await setImmediate();
    }
    const { user, system } = process.cpuUsage(from);
    cpuMs += (user + system) / 1000;
    bytes = Math.max(bytes, live() - before);
  }
  return { bytes, cpuMs };
}

/** Answers each line of stdin, a JSON object, with a line of stdout, one after the other. */
export async function answerLines(
  answer: (asked: Record<string, unknown>) => Promise<object>,
): Promise<void> {
  for await (const line of createInterface({ input: process.stdin }))
    console.log(JSON.stringify(await answer(JSON.parse(line) as Record<string, unknown>)));
}
