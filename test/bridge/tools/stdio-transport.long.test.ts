// A provider that is a program, with a real process.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Provider } from '../../../src/protocol/settings/provider.ts';
import { until } from '../../support/until.ts';
import { registryHouse } from './registry-house.ts';

const program = join(import.meta.dirname, '../../fixtures/steerable-provider.mjs');

const house = (entry: object = {}, env?: NodeJS.ProcessEnv) =>
  registryHouse({ command: [process.execPath, program], ...entry }, env);

function gate(): string {
  const dir = mkdtempSync(join(tmpdir(), 'gate-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return join(dir, 'closed');
}

const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`);

test('a program is started, offers its tools and answers', async () => {
  const { registry, walk, call } = await house();
  expect(walk).toEqual(['healthy']);
  expect(registry.specs().map(({ name }) => name)).toContain('peer_echo');
  expect((await call('peer_echo', { text: 'grüße' })).data).toBe('grüße');
});

test('a flood of progress becomes a few words, and its answer is there soon', async () => {
  const { call } = await house();
  const told: string[] = [];
  const begun = performance.now();
  const counted = await call('count', { to: 100_000 }, (words) => told.push(words));
  const seconds = (performance.now() - begun) / 1000;
  expect(counted.data).toBe('counted');
  expect(told[0]).toBe('1 of 100000');
  expect(told.length).toBeLessThanOrEqual(1 + seconds);
  expect((await call('count', { to: 1 })).data).toBe('nobody listens');
});

test('it gets where it lives and what is configured, and nothing that the bridge was trusted with', async () => {
  const { call } = await house(
    { env: { KEY: 'hunter22' } },
    { ...process.env, ANTHROPIC_API_KEY: 'k', SYNTHESIS_BRIDGE_TOKEN: 't' },
  );
  const names = String((await call('env')).data).split(' ');
  expect(names).toEqual(expect.arrayContaining(['HOME', 'KEY', 'PATH']));
  expect(names.filter((name) => /ANTHROPIC|SYNTHESIS|NODE_OPTIONS|VITEST/.test(name))).toEqual([]);
});

test('one that ends says how, what it printed is kept, and it is started again', async () => {
  const { registry, walk, call } = await house();
  expect((await call('exit')).error).toMatchObject({
    code: 'PROVIDER_CRASHED',
    message: 'peer is gone: it ended with exit code 7.',
  });
  await until('it to be started again', () => walk.at(-1) === 'healthy' && walk.length === 3);
  expect(walk[1]).toBe('degraded: it ended with exit code 7');
  expect(registry.detail('peer')?.printed).toEqual(['it was asked to end']);
});

test('one that cannot start is unavailable, and healthy within seconds of being mended', async () => {
  const closed = gate();
  const { walk, call } = await house({ env: { GATE: closed } });
  writeFileSync(closed, '');
  await call('exit');
  await until('it to be unavailable', () => walk.at(-1) === 'unavailable: it ended with exit code 3', 5_000);
  rmSync(closed);
  await until('it to be healthy', () => walk.at(-1) === 'healthy', 5_000);
});

test('one that blocks is degraded, unavailable, and healthy again, each within five seconds', async () => {
  const { registry, walk, call } = await house({ timeoutMs: 1_000 });
  const blocked = call('block');
  await until('it to be degraded', () => walk.at(-1)?.startsWith('degraded'), 5_000);
  await until('it to be unavailable', () => walk.at(-1)?.startsWith('unavailable'), 5_000);
  expect((await blocked).error?.code).toBe('TIMEOUT');
  await until('it to be healthy', () => walk.at(-1) === 'healthy', 5_000);
  expect(registry.views()[0]).toMatchObject({ status: 'healthy', running: 0 });
});

test('one that answers slowly is degraded', async () => {
  const { walk, call } = await house();
  await call('slow', { ms: 700 });
  await until('it to be degraded', () => walk.at(-1) === 'degraded: it answers slowly', 5_000);
});

test('one that sends garbage is degraded, unavailable and, started anew, healthy', async () => {
  const { walk, call } = await house({ timeoutMs: 500 });
  expect((await call('garbage')).error?.code).toBe('TIMEOUT');
  await until('it to be unavailable', () => walk.some((each) => each.startsWith('unavailable')), 8_000);
  await until('it to be healthy', () => walk.at(-1) === 'healthy', 5_000);
  expect(walk).toContain('degraded: it sends what is no message of the protocol');
});

test('closing it ends what it left behind', async () => {
  const { registry, call } = await house();
  const child = Number((await call('child')).data);
  expect(isAlive(child)).toBe(true);
  await registry.close();
  await until('its child to be gone', () => !isAlive(child));
});

test('one whose output is still held by what it started elsewhere is started again all the same', async () => {
  const { walk, call } = await house();
  const daemon = Number((await call('daemon')).data);
  onTestFinished(() => void process.kill(daemon));
  expect((await call('exit')).error?.code).toBe('PROVIDER_CRASHED');
  await until('it to be healthy again', () => walk.length > 1 && walk.at(-1) === 'healthy', 5_000);
  expect(walk[1]).toBe('degraded: it ended with exit code 7');
});

test('one whose output is still held can be closed in the instant after its end', async () => {
  const { registry, call, file } = await house();
  const daemon = Number((await call('daemon')).data);
  onTestFinished(() => void process.kill(daemon));
  const { pid } = JSON.parse(readFileSync(file, 'utf8'))[0];
  void call('exit');
  await until('it to have ended', () => !isAlive(pid));
  await registry.close();
  expect(existsSync(file)).toBe(false);
});

test('a program that is not there is told by name', async () => {
  const { registry } = await house({ command: ['no-such-program-anywhere'] });
  expect(registry.views()[0]).toMatchObject({
    status: expect.stringMatching(/degraded|unavailable/),
    reason: 'no-such-program-anywhere was not found',
  });
});

test('one that prints without end on its output is ended, and costs no more than its bound', async () => {
  const { walk } = await house({
    command: ['sh', '-c', 'head -c 40000000 /dev/zero | tr "\\\\0" x; sleep 60'],
  });
  await until('it to be ended', () => walk.some((each) => each.includes('ended')), 10_000);
});

test('an entry that changed is another provider, and one that did not goes on', async () => {
  const { registry, call } = await house();
  const child = Number((await call('child')).data);
  const [same] = registry.views().map(({ provider }) => provider);
  const command = [process.execPath, program];
  await registry.set(
    [Provider.parse({ name: 'peer', command }), Provider.parse({ name: 'two', command })],
    20_000,
  );
  expect(same).toBe('peer');
  expect(isAlive(child)).toBe(true);
  expect(registry.views().map(({ provider, status }) => [provider, status])).toEqual([
    ['peer', 'healthy'],
    ['two', 'healthy'],
  ]);
  await registry.set([Provider.parse({ name: 'peer', command, timeoutMs: 999 })], 20_000);
  await until('the old one to be gone', () => !isAlive(child));
  expect(registry.views().map(({ provider, status }) => [provider, status])).toEqual([['peer', 'healthy']]);
  expect((await call('echo', { text: 'x' })).data).toBe('x');
});
