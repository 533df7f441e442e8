// Providers of tools behind the built program: a program that fails in every way, and the simulated Claude that calls it.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Envelope } from '../../../src/protocol/envelope.ts';
import { mainChat } from '../../support/main-chat.ts';
import { until } from '../../support/until.ts';
import { Home, type RunningBridge, simulatedClaude } from '../support/program.ts';

const program = join(import.meta.dirname, '../../fixtures/steerable-provider.mjs');

let home: Home;
/** While it exists the provider cannot start. */
let gate: string;
beforeEach(() => {
  home = new Home();
  gate = join(home.path, 'closed');
});
afterEach(() => home[Symbol.asyncDispose]());

const peer = (more: object = {}) => ({
  name: 'peer',
  command: [process.execPath, program],
  env: { GATE: gate },
  permissions: { '*': ['read:peer'], exit: ['exec'] },
  ...more,
});

/** What Claude's tool gave it, out of its answer. */
function envelopeIn(answer: string, tool: string, verb = 'answered'): Envelope {
  const line = answer.split('\n').find((each) => each.includes(`${tool} ${verb}: `)) ?? '';
  return Envelope.parse(JSON.parse(line.slice(line.indexOf('{'))));
}

const call = (tool: string, args: object = {}) => `[[tool:${tool} ${JSON.stringify(args)}]]`;

const tools = (command: string, ...args: string[]) =>
  home.run(['tools', command, '--state-dir', home.state, ...args]);

async function healthz({ at }: RunningBridge): Promise<unknown> {
  return (await fetch(`${at.url}/healthz`)).json();
}

test('Claude calls a tool of a provider, and what only reads asks nobody', async () => {
  home.configure({ providers: [peer()] });
  const bridge = await home.up();
  const answer = await bridge.ask('s', call('peer_echo', { text: 'hi' }));
  expect(envelopeIn(answer, 'peer_echo')).toMatchObject({ status: 'healthy', data: 'hi', error: null });
  const status = envelopeIn(await bridge.ask('s', call('synthesis_status')), 'synthesis_status');
  expect(status.data).toMatchObject({ providers: [{ provider: 'peer', status: 'healthy' }] });
});

test('how far a call is can be seen in the log', async () => {
  home.configure({ providers: [peer()] });
  const bridge = await home.up();
  const answer = await bridge.ask('s', call('peer_count', { to: 1_000 }));
  expect(envelopeIn(answer, 'peer_count').data).toBe('counted');
  const rows = (await home.command('logs', '--json')).stdout.trim().split('\n');
  const events = rows.map((row) => JSON.parse(row));
  const called = events.find(({ event }) => event === 'tool.called');
  const told = events.filter(({ event }) => event === 'tool.progressed');
  expect(told[0]).toMatchObject({ session: called.session, call: called.call, text: '1 of 1000' });
  expect((await home.command('logs')).stdout).toContain('its tool says: 1 of 1000');
});

test('a call in a channel session waits for the tools of providers as for those of the hub', async () => {
  home.configure({ providers: [peer()], channels: { development: true } });
  const bridge = await home.up({ args: ['--claude', simulatedClaude] });
  const answer = await bridge.ask('s', call('peer_echo', { text: 'hi' }));
  expect(envelopeIn(answer, 'peer_echo').data).toBe('hi');
});

test('what may change something asks, by the name of what it may do; no leaves it undone, yes runs it', async () => {
  home.configure({ providers: [peer()], approvers: ['u1'] });
  const bridge = await home.up();
  const question = /approve ([a-z]{5})/.exec(await bridge.ask('s', call('peer_exit')))?.[1] ?? '';
  expect((await home.command('approvals')).stdout).toContain('which the provider peer runs');
  expect((await home.command('deny', question, '--reason', 'not now')).code).toBe(0);
  expect(await bridge.ask('s', 'and now?')).toContain('not now');
  expect(await healthz(bridge)).toMatchObject({ status: 'healthy' });

  const again = /approve ([a-z]{5})/.exec(await bridge.ask('s', call('peer_exit')))?.[1] ?? '';
  expect((await home.command('approve', again, '--yes')).code).toBe(0);
  expect(await bridge.ask('s', 'and now?')).toContain('PROVIDER_CRASHED');
});

test('a hub cannot answer for a provider, and its own tools go beside those of the provider', async () => {
  home.configure({ providers: [peer()] });
  const bridge = await home.up();
  const client = mainChat({ url: bridge.at.url, token: readFileSync(bridge.at.token_file, 'utf8').trim() });
  const answer =
    (await client.say(
      `[[tools:peer_echo ${JSON.stringify({ text: 'hi' })};read ${JSON.stringify({ path: '/x' })}]]`,
    )) ?? '';
  expect(envelopeIn(answer, 'peer_echo').data).toBe('hi');
  expect(answer).toContain('read answered: read ran in the hub');
});

test('arguments that do not fit come back in words that say what to correct', async () => {
  home.configure({ providers: [peer()] });
  const bridge = await home.up();
  const answer = await bridge.ask('s', call('peer_slow', { ms: 'soon' }));
  expect(envelopeIn(answer, 'peer_slow', 'failed').error).toMatchObject({
    code: 'INVALID_ARGUMENTS',
    recoverable: true,
  });
});

test('every door sees a provider go and come: ps, doctor, healthz, the log of events, the tool of Claude', async () => {
  home.configure({ providers: [peer()] });
  const bridge = await home.up();
  writeFileSync(gate, '');
  expect((await tools('call', 'peer', 'exit', '--json')).stdout).toContain('PROVIDER_CRASHED');
  await until(
    'it to be unavailable',
    async () => (await tools('health')).stdout.includes('peer: unavailable'),
    5_000,
  );
  expect(await healthz(bridge)).toMatchObject({
    status: 'degraded',
    providers: [
      {
        provider: 'peer',
        status: 'unavailable',
        error: { code: 'PROVIDER_UNAVAILABLE', message: 'it ended with exit code 3' },
      },
    ],
  });
  expect((await home.command('ps')).stderr).toContain('peer');
  expect((await home.command('doctor', '--claude', 'node')).stdout).toMatch(/peer.*exit code 3/);
  const answer = await bridge.ask('s', call('peer_echo'));
  expect(envelopeIn(answer, 'peer_echo', 'failed')).toMatchObject({
    status: 'unavailable',
    error: { code: 'PROVIDER_UNAVAILABLE', recoverable: true },
  });
  rmSync(gate);
  await until(
    'it to be healthy',
    async () => (await tools('health')).stdout.includes('peer: healthy'),
    5_000,
  );
  expect(await healthz(bridge)).toMatchObject({
    status: 'healthy',
    providers: [{ provider: 'peer', status: 'healthy', error: null }],
  });
  const events = (await home.command('logs', '--json')).stdout;
  expect(events.match(/"event":"bridge.provider"/g)?.length).toBeGreaterThanOrEqual(3);
});

test('one bad provider keeps neither the bridge nor the others', async () => {
  home.configure({
    providers: [
      { name: 'broken', command: ['no-such-program-anywhere'] },
      { name: 'mute', command: ['sleep', '60'] },
      peer(),
    ],
  });
  const bridge = await home.up();
  const answer = await bridge.ask('s', call('peer_echo', { text: 'hi' }));
  expect(envelopeIn(answer, 'peer_echo').data).toBe('hi');
  expect(await healthz(bridge)).toMatchObject({ status: 'degraded' });
  expect((await tools('health')).code).toBe(7);
});

test('tools add and remove hold at once, for a Claude that runs, too', async () => {
  const bridge = await home.up();
  expect(await bridge.ask('s', call('peer_echo'))).toContain('No such tool available');
  const added = await tools('add', 'peer', '--permission', 'read:peer', '--', process.execPath, program);
  expect(added).toMatchObject({ code: 0 });
  expect(envelopeIn(await bridge.ask('s', call('peer_echo', { text: 'hi' })), 'peer_echo').data).toBe('hi');
  expect(await tools('remove', 'peer')).toMatchObject({ code: 0 });
  expect(await bridge.ask('s', call('peer_echo'))).toContain('No such tool available');
});

test('what a provider left behind ends with the bridge', async () => {
  home.configure({ providers: [peer()] });
  const bridge = await home.up();
  const envelope = Envelope.parse(JSON.parse((await tools('call', 'peer', 'child', '--json')).stdout));
  const pid = Number(envelope.data);
  expect(existsSync(`/proc/${pid}`)).toBe(true);
  await bridge.end();
  await until('it to be gone', () => !existsSync(`/proc/${pid}`));
});

test('an interrupt takes the call back, at its provider, too', async () => {
  home.configure({ providers: [peer()] });
  const bridge = await home.up();
  const asked = bridge.ask('s', call('peer_wait'));
  const printed = async () => (await tools('inspect', 'peer', '--json')).stdout;
  await until('the call', async () => (await printed()).includes('it waits'));
  expect((await home.command('interrupt', 's')).code).toBe(0);
  await asked;
  await until('the cancellation', async () => (await printed()).includes('it was taken back'), 5_000);
  expect(JSON.parse((await tools('list', '--json')).stdout)).toMatchObject([{ running: 0, waiting: 0 }]);
});

test('what a killed bridge left behind is ended by the next one, although it heeds no end of its input', async () => {
  home.configure({ providers: [peer()] });
  const bridge = await home.up();
  // A process that keeps the provider from ending by itself.
  const child = Envelope.parse(JSON.parse((await tools('call', 'peer', 'child', '--json')).stdout)).data;
  const [{ pid }] = JSON.parse(readFileSync(join(home.state, 'providers.json'), 'utf8')) as [{ pid: number }];
  await bridge.kill();
  expect(existsSync(`/proc/${pid}`)).toBe(true);
  const next = await home.up();
  await until('it to be gone', () => !existsSync(`/proc/${pid}`) && !existsSync(`/proc/${child}`));
  expect((await tools('health')).stdout).toContain('peer: healthy');
  await next.end();
  expect(existsSync(join(home.state, 'providers.json'))).toBe(false);
});
