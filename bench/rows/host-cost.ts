// H3: what a host keeps in memory. H4: how its work grows with what it has to pass on.
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../test/support/until.ts';
import { compare } from '../harness/compare.ts';
import { OwnedHost } from '../harness/owned-host.ts';
import type { Place } from '../harness/place.ts';
import { messageDisplay, poster } from '../harness/poster.ts';
import { cpuMs, privateBytes } from '../harness/process-cost.ts';
import { Program } from '../harness/program.ts';
import { type Goal, judge, type Row } from '../harness/row.ts';

const waits = 'a bare node that waits';
/** Until what a start needed is given back, ms. */
const settleMs = 1_000;
/** Twice what a host keeps. */
const ringBytes = 2 * 1024 * 1024;

const idleGoal: Goal = {
  id: 'H3',
  what: 'memory that only a host has, idle',
  against: waits,
  atMost: 1.7,
  most: 20,
  unit: 'MB',
  whyNotYet: 'A host loads what it does not need.',
};
const fullGoal: Goal = {
  ...idleGoal,
  what: 'the same, with all the output that it keeps',
  atMost: 2.5,
  most: 25,
  whyNotYet: 'Output is kept in the pieces in which it came, or more of it than is wanted.',
};
export const memoryGoals = [idleGoal, fullGoal];

const times = 10;
const fewBytes = 10_000_000;
const fewHooks = 9_000;
/** A process counts its time in hundredths of a second. */
const replays = 20;

export const outputGoal: Goal = {
  id: 'H4',
  what: `${(times * fewBytes) / 1_000_000} MB of output through a host: CPU time`,
  against: `${fewBytes / 1_000_000} MB`,
  atMost: times * 1.3,
  whyNotYet: 'What comes looks again at what was kept before it.',
};
export const replayGoal: Goal = {
  id: 'H4',
  what: `${times * fewHooks} kept hooks for a new owner: CPU time`,
  against: `${fewHooks} kept hooks`,
  atMost: times * 1.3,
  whyNotYet: 'Everything that was kept is handed to the socket at once.',
};

const megabytesOf = async (pid: number): Promise<number> => {
  await delay(settleMs);
  return privateBytes(pid) / 1_000_000;
};

/** Prints so many bytes whenever it reads one, and `r` before. */
const prints = (bytes: number) =>
  `stty raw -echo; printf r; while head -c 1 | grep -q .; do head -c ${bytes} /dev/zero | tr "\\0" x; done`;

async function print(host: OwnedHost, bytes: number): Promise<void> {
  const all = host.read + bytes;
  host.say({ type: 'input' }, Buffer.from('g'));
  await until('the output', () => host.read >= all, 60_000);
}

async function printer(place: Place, bytes: number): Promise<OwnedHost> {
  const host = await OwnedHost.start(place, `prints-${bytes}`, prints(bytes));
  await host.attach();
  await until('the program', () => host.read === 1);
  return host;
}

export async function memory(place: Place): Promise<Row[]> {
  const idle: number[] = [];
  const subject = async () => {
    await using host = await printer(place, ringBytes);
    idle.push(await megabytesOf(host.pid));
    await print(host, ringBytes);
    return await megabytesOf(host.pid);
  };
  const reference = async () => {
    const program = ['-e', 'console.log("{}"); setInterval(() => {}, 1e9)'];
    await using bare = await Program.start(program, place.env);
    return await megabytesOf(bare.pid);
  };
  const full = await compare({ subject, reference }, { warmup: 0, counted: 5 });
  return [judge(idleGoal, { ...full, subject: idle }), judge(fullGoal, full)];
}

export async function output(place: Place): Promise<Row> {
  await using few = await printer(place, fewBytes);
  await using many = await printer(place, times * fewBytes);
  const taken = async (host: OwnedHost, bytes: number) => {
    const from = cpuMs(host.pid);
    await print(host, bytes);
    return cpuMs(host.pid) - from;
  };
  const contenders = {
    subject: () => taken(many, times * fewBytes),
    reference: () => taken(few, fewBytes),
  };
  return judge(outputGoal, await compare(contenders, { warmup: 1, counted: 5 }));
}

async function keeper(place: Place, hooks: number): Promise<OwnedHost> {
  const host = await OwnedHost.start(place, `keeps-${hooks}`, 'exec cat');
  const post = poster(`${host.url}/hooks/tell/MessageDisplay`, host.token);
  for (let n = 0; n < hooks; n += 1)
    await new Promise<void>((resolve) => post(messageDisplay(n, `line ${n}\n`), () => resolve()));
  return host;
}

export async function replay(place: Place): Promise<Row> {
  await using few = await keeper(place, fewHooks);
  await using many = await keeper(place, times * fewHooks);
  const taken = async (host: OwnedHost) => {
    const from = cpuMs(host.pid);
    for (let n = 0; n < replays; n += 1) {
      await host.own();
      await host.attach();
    }
    return (cpuMs(host.pid) - from) / replays;
  };
  const contenders = { subject: () => taken(many), reference: () => taken(few) };
  return judge(replayGoal, await compare(contenders, { warmup: 1, counted: 7 }));
}
