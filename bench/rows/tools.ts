// T1, T2: what a call of a provider's tool costs over the SDK's own client. T3: how that grows with the result.
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { silentLog } from '../../src/base/log.ts';
import { systemClock } from '../../src/base/time/clock.ts';
import { transportOpener } from '../../src/bridge/tools/link/open-transport.ts';
import { ProcessGroups } from '../../src/bridge/tools/link/process-groups.ts';
import { ToolRegistry } from '../../src/bridge/tools/registry.ts';
import { Provider } from '../../src/protocol/settings/provider.ts';
import { compare } from '../harness/compare.ts';
import { fromBench, type Place } from '../harness/place.ts';
import { type Goal, judge, type Row } from '../harness/row.ts';

/** Of one round, milliseconds. */
const roundMs = 400;
const counts = { warmup: 3, counted: 9 };

const module = fromBench('subject/echo-provider.mjs');
const command = [process.execPath, fromBench('subject/echo-program.mjs')];

/** Milliseconds that a call may cost over the SDK's. */
const overInMemory = 0.2;
const overStdio = 0.5;

export const inMemoryGoal: Goal = {
  id: 'T1',
  what: "a call of a module's tool, arguments checked and result enveloped",
  against: `the SDK's client in memory, and ${overInMemory} ms`,
  atMost: 1,
  whyNotYet: 'Its schema is compiled for each call, or its result is walked more than a few times.',
};
export const stdioGoal: Goal = {
  id: 'T2',
  what: "a call of a program's tool",
  against: `the SDK's client over stdio, and ${overStdio} ms`,
  atMost: 1,
  whyNotYet: 'A message is parsed more than once, or waits for a timer.',
};
const times = 10;
const fewCharacters = 8_000;
export const resultGoal: Goal = {
  id: 'T3',
  what: `a call whose result has ${times * fewCharacters} characters`,
  against: `${fewCharacters} characters`,
  atMost: times * 1.3,
  whyNotYet: 'What is cleaned looks again at what came before it.',
};

type Call = (args: { length: number }) => Promise<unknown>;

async function perCall(call: Call, length: number): Promise<number> {
  const begun = performance.now();
  let calls = 0;
  for (; performance.now() - begun < roundMs; calls += 1) await call({ length });
  return (performance.now() - begun) / calls;
}

/** @throws when the provider does not become healthy, or a call fails */
async function provided({ home }: Place, entry: object): Promise<{ call: Call } & AsyncDisposable> {
  const file = join(await home.directory('tools'), 'providers.json');
  const registry = new ToolRegistry({
    version: '0.0.0',
    clock: systemClock,
    log: silentLog,
    open: transportOpener({
      clock: systemClock,
      env: process.env,
      groups: new ProcessGroups(file, silentLog),
    }),
    healthChanged: () => {},
    toolsChanged: () => {},
  });
  await registry.set([Provider.parse({ name: 'bench', ...entry })], 20_000);
  const { signal } = new AbortController();
  const call = async (args: Record<string, unknown>) => {
    const { error } = await registry.call('bench', 'bench_echo', args, signal);
    if (error) throw new Error(error.message);
  };
  return { call, [Symbol.asyncDispose]: () => registry.close() };
}

async function plain(kind: 'memory' | 'stdio'): Promise<{ call: Call } & AsyncDisposable> {
  const client = new Client({ name: 'bench', version: '0.0.0' });
  if (kind === 'stdio') {
    const [file = '', ...args] = command;
    await client.connect(new StdioClientTransport({ command: file, args }));
  } else {
    const { default: makeServer } = (await import(module)) as { default: () => Server };
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await makeServer().connect(theirs);
    await client.connect(ours);
  }
  const call: Call = (args) => client.callTool({ name: 'echo', arguments: args });
  return { call, [Symbol.asyncDispose]: () => client.close() };
}

async function overhead(place: Place, goal: Goal, kind: 'memory' | 'stdio', over: number): Promise<Row> {
  await using ours = await provided(place, kind === 'memory' ? { module } : { command });
  await using theirs = await plain(kind);
  const contenders = {
    subject: () => perCall(ours.call, 100),
    reference: async () => (await perCall(theirs.call, 100)) + over,
  };
  return judge(goal, await compare(contenders, counts));
}

export const inMemoryCall = (place: Place): Promise<Row> =>
  overhead(place, inMemoryGoal, 'memory', overInMemory);
export const stdioCall = (place: Place): Promise<Row> => overhead(place, stdioGoal, 'stdio', overStdio);

export async function resultGrowth(place: Place): Promise<Row> {
  await using ours = await provided(place, { module });
  const contenders = {
    subject: () => perCall(ours.call, times * fewCharacters),
    reference: () => perCall(ours.call, fewCharacters),
  };
  return judge(resultGoal, await compare(contenders, counts));
}
