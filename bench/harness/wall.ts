import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { median } from './stats.ts';

/** Milliseconds that `node …args` takes from its start to its end. @throws when it does not exit with `expected` */
async function wall(args: readonly string[], env: Record<string, string>, expected = 0): Promise<number> {
  const from = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.resume();
  child.stderr.resume();
  const [code] = await once(child, 'exit');
  if (code !== expected) throw new Error(`${args.join(' ')} exited with ${code}`);
  return performance.now() - from;
}

/** Runs per round; a round is their median. */
const runs = 5;

/** Median of some runs of `measure`, milliseconds. */
export async function repeated(measure: () => Promise<number>): Promise<number> {
  const ms: number[] = [];
  for (let n = 0; n < runs; n += 1) ms.push(await measure());
  return median(ms);
}

/** A Node that does nothing: the floor of every command. */
export const bareNode = (env: Record<string, string>) => () => repeated(() => wall(['-e', '0'], env));

/** @param exit the code that it has to end with */
export const command = (args: readonly string[], env: Record<string, string>, exit?: number) => () =>
  repeated(() => wall(args, env, exit));
