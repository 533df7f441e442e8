// The program that a bridge starts once per session, detached. It says that it waits, and gets its order on stdin: at once,
// or, as a spare one, when there is a session for it. What it was told stands neither in its arguments nor in its
// environment, which every program of the user can read. Then it says one line more on stdout, and nothing else to whoever
// started it, who may be gone.
import { closeSync, constants, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPrivate } from '../base/files/private-file.ts';
import { jsonLog } from '../base/log.ts';
import { loadKernel } from '../base/process/kernel.ts';
import { runMark } from '../base/process/run-mark.ts';
import { systemClock } from '../base/time/clock.ts';
import type { HostOrder } from '../protocol/wire/host.ts';
import { Host } from './host.ts';
import { awaitOrder } from './order.ts';
import { Offspring } from './program/offspring.ts';
import { warmUp } from './warm-up.ts';

/** Sent at a logout, by a terminal that closes, and by who ends a bridge with all it started. `quit` ends a host. */
const ignored = ['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGPIPE'] as const;

/** Errors that are written down; the same one may come with every byte. */
const mostErrors = 100;

/** Serves until there is nothing left to stay for, then ends the process with 0. */
export async function main(): Promise<void> {
  for (const signal of ignored) process.on(signal, () => {});
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  try {
    const kernel = loadKernel();
    // Before anything is here that Claude's shell must not read.
    kernel?.hideMemory();
    const order = await ordered();
    const { dir, run } = order;
    const host = await Host.open({ ...order, offspring: new Offspring(runMark(dir, run), kernel) });
    goOnAfterErrors(dir);
    // Node's own listener writes to stderr.
    process.removeAllListeners('warning');
    await say({ ready: true });
    await host.closed;
    process.exit(0);
  } catch (error) {
    await say({ failed: error instanceof Error ? error.message : String(error) });
    process.exit(1);
  }
}

/** Nobody is left who would need it when stdin ends without an order. */
async function ordered(): Promise<HostOrder> {
  await warmUp();
  await say({ waiting: true });
  const order = awaitOrder();
  if (!order) process.exit(0);
  return order;
}

/**
 * The program and its work would end with the host. Whatever a mistake here has spoiled is less: each connection and each
 * hook stands for itself. It is told in `host.log`.
 */
function goOnAfterErrors(dir: string): void {
  const log = jsonLog({ write: (line) => append(join(dir, 'host.log'), line), wall: systemClock.wall });
  let count = 0;
  process.on('uncaughtException', (error) => {
    count += 1;
    if (count <= mostErrors) log.error('unexpected; the host goes on', { error });
  });
}

function append(path: string, line: string): void {
  try {
    const file = openPrivate(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT);
    try {
      writeFileSync(file, line);
    } finally {
      closeSync(file);
    }
  } catch {
    // The disk is full, or the folder gone: nobody can be told.
  }
}

const say = (line: object): Promise<void> =>
  new Promise((resolve) => process.stdout.write(`${JSON.stringify(line)}\n`, () => resolve()));

if (import.meta.main) await main();
