import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { ToolRegistry } from '../../../src/bridge/tools/registry.ts';
import { Envelope } from '../../../src/protocol/envelope.ts';
import { Provider } from '../../../src/protocol/settings/provider.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { until } from '../../support/until.ts';
import { ScriptedProvider } from './scripted-provider.ts';

const entry = (name: string, more = {}) => Provider.parse({ name, command: [name], ...more });

function house(peers: Record<string, ScriptedProvider>) {
  const clock = new ManualClock();
  let changes = 0;
  const registry = new ToolRegistry({
    version: '0.0.0',
    clock,
    log: silentLog,
    open: (provider, events) => {
      const peer = peers[provider.name];
      return peer ? peer.open(provider, events) : Promise.reject(new Error('no such peer'));
    },
    healthChanged: () => {},
    toolsChanged: () => {
      changes += 1;
    },
  });
  onTestFinished(() => registry.close());
  return { registry, clock, changes: () => changes };
}

const signal = new AbortController().signal;

test('one that says nothing keeps the others waiting for as long as was said, and goes on starting', async () => {
  const [mute, good] = [new ScriptedProvider(), new ScriptedProvider()];
  mute.hangs = true;
  const { registry, clock } = house({ mute, good });
  let isSet = false;
  const set = registry.set([entry('mute'), entry('good')], 1_000).then(() => {
    isSet = true;
  });
  await until('the good one', () => registry.views()[1]?.status === 'healthy');
  expect(isSet).toBe(false);
  clock.advance(1_000);
  await set;
  expect(registry.views()).toMatchObject([
    { provider: 'mute', status: 'degraded', reason: 'it is starting' },
    { provider: 'good', status: 'healthy' },
  ]);
  mute.wake();
  await until('the mute one', () => registry.views()[0]?.status === 'healthy');
});

test('all tools are offered, each with whose it is and what it may do, and the status tool beside them', async () => {
  const { registry } = house({ a: new ScriptedProvider(), b: new ScriptedProvider() });
  expect(registry.specs()).toEqual([]);
  await registry.set([entry('a', { permissions: ['read:a'] }), entry('b')], 20_000);
  expect(registry.specs().map(({ name }) => name)).toEqual(['synthesis_status', 'a_echo', 'b_echo']);
  expect(registry.find('a_echo')).toEqual({
    provider: 'a',
    permissions: ['read:a'],
    schema: registry.specs()[1]?.parameters,
  });
  expect(registry.find('synthesis_status')).toEqual({ provider: 'synthesis', permissions: ['read:status'] });
  expect(registry.find('echo')).toBeUndefined();
});

test('who has not all providers has only the tools of his, and none when he has none', async () => {
  const { registry } = house({ a: new ScriptedProvider(), b: new ScriptedProvider() });
  await registry.set([entry('a'), entry('b')], 20_000);
  const only = (name: string) => (provider: string) => provider === name;
  expect(registry.specs(only('b')).map(({ name }) => name)).toEqual(['synthesis_status', 'b_echo']);
  expect(registry.find('a_echo', only('b'))).toBeUndefined();
  expect(registry.specs(only('c'))).toEqual([]);
  expect(registry.find('synthesis_status', only('c'))).toBeUndefined();
});

test('of two vaults, whose tools have the same names, each session sees one tool of a name', async () => {
  const { registry } = house({
    obsidian_rag: new ScriptedProvider(),
    obsidian_rag_2: new ScriptedProvider(),
  });
  const vault = (name: string) => ({ ...entry('vault'), name });
  await registry.set([vault('obsidian_rag'), vault('obsidian_rag_2')], 20_000);
  expect(registry.specs().map(({ name }) => name)).toEqual(['synthesis_status', 'echo']);
  expect(registry.find('echo')?.provider).toBe('obsidian_rag');
  expect(registry.find('echo', (name) => name === 'obsidian_rag_2')?.provider).toBe('obsidian_rag_2');
});

test('the status tool tells how all are', async () => {
  const broken = new ScriptedProvider();
  broken.refuses = 'it is broken';
  const { registry } = house({ a: new ScriptedProvider(), broken });
  await registry.set([entry('a'), entry('broken')], 20_000);
  const envelope = await registry.call('synthesis', 'synthesis_status', {}, signal);
  expect(Envelope.parse(envelope).data).toMatchObject({
    providers: [
      { provider: 'a', status: 'healthy', reason: null, tools: 1 },
      { provider: 'broken', status: 'degraded', reason: 'it is broken', tools: 0 },
    ],
  });
});

test('a provider that was taken out answers no more', async () => {
  const a = new ScriptedProvider();
  const { registry, changes } = house({ a });
  await registry.set([entry('a')], 20_000);
  const before = changes();
  await registry.set([], 20_000);
  expect(changes()).toBeGreaterThan(before);
  expect(registry.specs()).toEqual([]);
  expect((await registry.call('a', 'a_echo', {}, signal)).error?.code).toBe('NO_SUCH_TOOL');
});

test('the successor of a provider starts when that has ended', async () => {
  const a = new ScriptedProvider();
  const { registry } = house({ a });
  await registry.set([entry('a')], 20_000);
  const order: string[] = [];
  const { open } = a;
  Object.assign(a, {
    open: (...given: Parameters<typeof open>) => {
      order.push('start');
      return open(...given);
    },
  });
  a.onEnd = () => order.push('end');
  await registry.set([entry('a', { timeoutMs: 500 })], 20_000);
  expect(order).toEqual(['end', 'start']);
});
