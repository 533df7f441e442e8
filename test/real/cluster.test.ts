// Two machines, each with a real Claude Code of its own; a real OpenClaw that knows one of them; one that loses power.
import { existsSync } from 'node:fs';
import { jetstream } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { expect } from 'vitest';
import { NatsServers, natsToken } from '../support/nats.ts';
import { natsTest as test } from '../support/nats-test.ts';
import { until } from '../support/until.ts';
import { isolatedHome } from './support/isolated-home.ts';
import type { MessagesApi } from './support/messages-api.ts';
import { RealOpenClaw } from './support/real-openclaw.ts';
import { usesTools } from './support/using-model.ts';
import { World } from './support/world.ts';

function knowsColours({ api }: { api: MessagesApi }): void {
  api.on('my colour is', (answer) => answer.text('Noted, your colour.'));
  api.on('what is my colour', (answer, request) => {
    const colour = request.userTexts.join('\n').match(/my colour is (\w+)/)?.[1];
    answer.text(colour ? `Your colour is ${colour}.` : 'You have not told me.');
  });
}

interface Keys {
  /** Beside name and servers. */
  cluster?: object;
  profiles?: object[];
}

function machine(node: string, servers: NatsServers, { cluster, profiles = [] }: Keys): Promise<World> {
  const whole = { node, servers: servers.urls, token: natsToken, ...cluster };
  return World.start(`cluster-${node}`, { config: { cluster: whole, profiles } });
}

/** Each knows colours, and the other one. */
async function meet(...worlds: World[]): Promise<void> {
  // Until it is connected the command ends with 7.
  const seen = ({ bridge }: World) => bridge.command('cluster', 'status').catch(() => '');
  for (const world of worlds) {
    knowsColours(world);
    await until('the other machine', async () => (await seen(world)).includes('alive'), 20_000);
  }
}

/** What the servers keep of Claude Code's transcripts. */
async function shipped(urls: string[]): Promise<string> {
  const connection = await connect({ servers: urls, token: natsToken });
  try {
    const { streams } = await jetstream(connection).jetstreamManager(false);
    let [text, seq] = ['', 1];
    for (;;) {
      const next = { seq, next_by_subj: 'synthesis.file.*' } as { seq: number };
      const found = await streams.getMessage('COPY_synthesis', next);
      if (!found) return text;
      text += found.string();
      seq = found.seq + 1;
    }
  } finally {
    await connection.close();
  }
}

/** Claude Code's sessions that asked the model. */
const sessionsOf = (...worlds: World[]) =>
  new Set(worlds.flatMap(({ api }) => api.turns.map(({ session }) => session)));

test('OpenClaw, pointed at either machine, notices nothing of where Claude is, nor of its moves', async () => {
  await using servers = await NatsServers.start();
  const keys = { profiles: [{ match: 'agent:*', node: 'mac' }] };
  await using mac = await machine('mac', servers, keys);
  await using box = await machine('box', servers, keys);
  await meet(mac, box);
  await using home = await isolatedHome('cluster-user');
  await using openclaw = await RealOpenClaw.start(home.path, box.bridge.provider);
  const key = 'agent:main:first';
  const turns = () => [mac.api.turns.length, box.api.turns.length];

  expect(await openclaw.agent(key, 'my colour is teal')).toBe('Noted, your colour.');
  expect(turns()).toEqual([1, 0]);
  await box.bridge.command('cluster', 'move', key, 'box');
  expect(await openclaw.say(key, 'what is my colour?')).toBe('Your colour is teal.');
  expect(turns()).toEqual([1, 1]);
  // As the profile wants it.
  await mac.bridge.command('cluster', 'drain', '--node', 'box');
  expect(await openclaw.say(key, 'what is my colour now?')).toBe('Your colour is teal.');
  expect(turns()).toEqual([2, 1]);
  expect(sessionsOf(mac, box).size).toBe(1);
});

/** What Claude Code tells the model of the index of its memory last, in the first request of a machine after so many. */
function remembered({ api }: World, after: number): { folder: string; index: string } {
  const told = JSON.stringify(api.turns[after]?.body.messages);
  const all = [...told.matchAll(/Contents of (\S+)MEMORY\.md[^:]*:(?:\\n)+(- [^\\]*)/g)];
  const [, folder = '', index = ''] = all.at(-1) ?? [];
  return { folder, index };
}

test('what Claude remembers is in its first request on the other machine, after a move and after a loss of power', async () => {
  await using servers = await NatsServers.start();
  const keys = { cluster: { takeover: true, leaseSeconds: 10 } };
  await using mac = await machine('mac', servers, keys);
  await using box = await machine('box', servers, keys);
  await meet(mac, box);
  const key = 'agent:main:first';
  const memory = async ({ bridge }: World): Promise<string> =>
    `${JSON.parse(await bridge.command('inspect', key, '--json')).memory}/`;
  const remember = async (world: World, colour: string) => {
    const note = { file_path: `${await memory(world)}MEMORY.md`, content: `- their colour is ${colour}\n` };
    expect(await world.bridge.ask(key, `use Write ${JSON.stringify(note)}`)).toMatch(/created|updated/);
  };
  for (const world of [mac, box]) usesTools(world.api);

  await mac.bridge.ask(key, 'hello');
  await remember(mac, 'teal');
  const left = await memory(mac);
  await mac.bridge.command('cluster', 'move', key, 'box');
  await box.bridge.ask(key, 'hello');
  expect(remembered(box, 0)).toEqual({ folder: await memory(box), index: '- their colour is teal' });
  expect(existsSync(left)).toBe(false);

  // Before Claude Code writes over a file it has to read it.
  await box.bridge.ask(key, `use Read ${JSON.stringify({ file_path: `${await memory(box)}MEMORY.md` })}`);
  await remember(box, 'plum');
  const before = mac.api.turns.length;
  await box.kill();
  await until('the conversation', async () => (await mac.bridge.command('ps')).includes(key), 60_000);
  await mac.bridge.ask(key, 'hello');
  expect(remembered(mac, before)).toEqual({ folder: left, index: '- their colour is plum' });
  expect(sessionsOf(mac, box).size).toBe(1);
});

test('Claude knows on another machine what it was told on one that lost power', async () => {
  await using servers = await NatsServers.start();
  const keys = { cluster: { takeover: true, leaseSeconds: 10 } };
  await using mac = await machine('mac', servers, keys);
  await using box = await machine('box', servers, keys);
  await meet(mac, box);
  const key = 'agent:main:first';

  // It lives where it begins.
  await mac.bridge.ask(key, 'hello');
  expect(await box.bridge.ask(key, 'my colour is teal')).toBe('Noted, your colour.');
  expect([mac.api.turns.length, box.api.turns.length]).toEqual([2, 0]);
  // Claude Code writes it down a moment after it has answered; of what it has not, a machine without power keeps nothing.
  await until('what Claude knows on the servers', async () =>
    (await shipped(servers.urls)).includes('Noted, your'),
  );
  await mac.kill();
  await until('the conversation', async () => (await box.bridge.command('ps')).includes(key), 60_000);
  expect(await box.bridge.ask(key, 'what is my colour?')).toBe('Your colour is teal.');
  expect(box.api.turns.length).toBe(1);
  expect(sessionsOf(mac, box).size).toBe(1);
});
