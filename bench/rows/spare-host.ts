// H6: what the start of a host saves by the one that waits. What that keeps in memory is a row of H3.

import { setTimeout as delay } from 'node:timers/promises';
import { newToken } from '../../src/base/ids.ts';
import { type Log, silentLog } from '../../src/base/log.ts';
import { systemClock } from '../../src/base/time/clock.ts';
import { HostStarter } from '../../src/bridge/terminal/host-starter.ts';
import { OwnedHosts } from '../../src/bridge/terminal/owned-hosts.ts';
import { Scopes } from '../../src/bridge/terminal/scopes.ts';
import { compare } from '../harness/compare.ts';
import { type Place, shipped } from '../harness/place.ts';
import { privateBytes } from '../harness/process-cost.ts';
import { Program } from '../harness/program.ts';
import { type Goal, judge, type Row } from '../harness/row.ts';

/** Until what a start needed is given back, ms. */
const settleMs = 1_000;

const startGoal: Goal = {
  id: 'H6',
  what: 'the start of a host where one waits, until it can be reached',
  against: 'the same, and none waits',
  atMost: 0.6,
  whyNotYet: 'What a host loads or opens for the first time is left for its order.',
};
const waitingGoal: Goal = {
  id: 'H3',
  what: 'memory that only the host in reserve has',
  against: 'a bare node that waits',
  atMost: 1.7,
  most: 20,
  unit: 'MB',
  whyNotYet: 'A host loads what it does not need.',
};
export const spareGoals = [startGoal, waitingGoal];

/** Tells when a spare host waits. */
class WaitingLog implements Log {
  readonly info = silentLog.info;
  readonly warn = silentLog.warn;
  readonly error = silentLog.error;
  #next = Promise.withResolvers<number>();

  child(): Log {
    return this;
  }

  debug(_message: string, fields?: Record<string, unknown>): void {
    this.#next.resolve(Number(fields?.pid));
  }

  /** @returns its pid */
  async next(): Promise<number> {
    const pid = await this.#next.promise;
    this.#next = Promise.withResolvers();
    return pid;
  }
}

export async function spareHost({ home, env }: Place): Promise<Row[]> {
  const log = new WaitingLog();
  const scopes = new Scopes({ env: {}, log });
  const options = {
    clock: systemClock,
    scopes,
    program: shipped.host,
    nodePath: process.execPath,
    stateDir: home.path,
    secret: newToken(),
    log,
    hosts: new OwnedHosts(),
  };
  const [spared, bare] = [new HostStarter(options, true), new HostStarter(options, false)];
  // Its pipes do not keep this process.
  const alive = setInterval(() => {}, 60_000);
  let count = 0;
  const startMs = async ({ start }: HostStarter) => {
    count += 1;
    const dir = await home.directory(`spare-${count}`);
    const from = performance.now();
    const host = await start(dir, 'r');
    const ms = performance.now() - from;
    await host.quit();
    return ms;
  };
  const waiting = async () => {
    const next = log.next();
    spared.spare?.want(0);
    const pid = await next;
    await delay(settleMs);
    return pid;
  };
  const subject = async () => {
    await waiting();
    return await startMs(spared);
  };
  const megabytes = async () => {
    const bytes = privateBytes(await waiting());
    await spared.spare?.end();
    return bytes / 1_000_000;
  };
  const bareMegabytes = async () => {
    await using node = await Program.start(['-e', 'console.log("{}"); setInterval(() => {}, 1e9)'], env);
    await delay(settleMs);
    return privateBytes(node.pid) / 1_000_000;
  };
  try {
    const starts = await compare({ subject, reference: () => startMs(bare) }, { warmup: 1, counted: 11 });
    await spared.spare?.end();
    const memory = await compare({ subject: megabytes, reference: bareMegabytes }, { warmup: 0, counted: 5 });
    return [judge(startGoal, starts), judge(waitingGoal, memory)];
  } finally {
    clearInterval(alive);
    await spared.spare?.close();
  }
}
