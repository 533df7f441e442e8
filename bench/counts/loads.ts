// What each program loads before it does anything: files of ours, their bytes, and modules of Node.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { fromBench, type Place, shipped } from '../harness/place.ts';
import { Program } from '../harness/program.ts';
import type { Counts } from './counts.ts';

interface Trace {
  urls: string[];
  builtins: string[];
  /** Those that were there before its first word on standard output; not where that is a device. */
  before?: string[];
}

const tracer = fromBench('counts/trace-loads.mjs');

export async function loads({ home, env }: Place): Promise<Counts> {
  const state = await home.directory('loads');
  const counts: Counts = {};
  const traceOf = (name: string) => join(home.path, `${name}.json`);
  const traced = (name: string) => ({
    ...env,
    TRACE_FILE: traceOf(name),
    NODE_OPTIONS: `--import ${pathToFileURL(tracer).href}`,
  });
  const read = (name: string): Trace => {
    const trace = JSON.parse(readFileSync(traceOf(name), 'utf8')) as Trace;
    const { urls, builtins } = trace;
    const files = urls.map((url) => fileURLToPath(url)).filter((file) => file !== tracer);
    counts[`${name}: files`] = files.length;
    counts[`${name}: bytes`] = files.reduce((sum, file) => sum + statSync(file).size, 0);
    counts[`${name}: modules of Node`] = builtins.length;
    return trace;
  };
  const run = async (name: string, ...args: string[]): Promise<void> => {
    const child = spawn(process.execPath, args, { env: traced(name), stdio: ['pipe', 'ignore', 'ignore'] });
    child.stdin.end();
    await once(child, 'exit');
    read(name);
  };
  await run('--help', shipped.cli, '--help');
  {
    const args = [shipped.cli, 'up', '--json', '--port', '0', '--state-dir', state];
    // What it loads behind its ready line is there by the time these have run.
    await using _bridge = await Program.start(args, traced('up'));
    for (const [name = '', ...rest] of [['ps'], ['approve', 'abcde'], ['logs', '--tail', '1']])
      await run(name, shipped.cli, name, ...rest, '--state-dir', state);
  }
  const { builtins, before = builtins } = read('up');
  counts['up: modules of Node until it is ready'] = before.length;
  await run('channel server', shipped.channel);
  await run('host', shipped.host);
  return counts;
}
