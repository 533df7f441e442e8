// Two machines, each with a real Claude Code of its own, and a real OpenClaw that knows one of them.
import { expect } from 'vitest';
import { NatsServers, natsToken } from '../support/nats.ts';
import { natsTest as test } from '../support/nats-test.ts';
import { until } from '../support/until.ts';
import { isolatedHome } from './support/isolated-home.ts';
import type { MessagesApi } from './support/messages-api.ts';
import { RealOpenClaw } from './support/real-openclaw.ts';
import { World } from './support/world.ts';

function knowsColours({ api }: { api: MessagesApi }): void {
  api.on('my colour is', (answer) => answer.text('Noted, your colour.'));
  api.on('what is my colour', (answer, request) => {
    const colour = request.userTexts.join('\n').match(/my colour is (\w+)/)?.[1];
    answer.text(colour ? `Your colour is ${colour}.` : 'You have not told me.');
  });
}

test('OpenClaw, pointed at either machine, notices nothing of where Claude is, nor of its moves', async () => {
  await using servers = await NatsServers.start();
  const config = (node: string) => ({
    cluster: { node, servers: servers.urls, token: natsToken },
    profiles: [{ match: 'agent:*', node: 'mac' }],
  });
  await using mac = await World.start('cluster-mac', { config: config('mac') });
  await using box = await World.start('cluster-box', { config: config('box') });
  for (const world of [mac, box]) knowsColours(world);
  // Until it is connected the command ends with 7.
  const seen = ({ bridge }: World) => bridge.command('cluster', 'status').catch(() => '');
  for (const world of [mac, box])
    await until('the other machine', async () => (await seen(world)).includes('alive'), 20_000);
  await using home = await isolatedHome('cluster-user');
  await using openclaw = await RealOpenClaw.start(home.path, box.bridge.provider);
  const key = 'agent:main:first';
  const turns = () => [mac.api.turns.length, box.api.turns.length];

  expect(await openclaw.agent(key, 'my colour is teal')).toBe('Noted, your colour.');
  expect(turns()).toEqual([1, 0]);
  await box.bridge.command('cluster', 'move', key, 'box');
  expect(await openclaw.agent(key, 'what is my colour?')).toBe('Your colour is teal.');
  expect(turns()).toEqual([1, 1]);
  // As the profile wants it.
  await mac.bridge.command('cluster', 'drain', '--node', 'box');
  expect(await openclaw.agent(key, 'what is my colour now?')).toBe('Your colour is teal.');
  expect(turns()).toEqual([2, 1]);
  const sessions = [...mac.api.turns, ...box.api.turns].map(({ session }) => session);
  expect(new Set(sessions).size).toBe(1);
});
