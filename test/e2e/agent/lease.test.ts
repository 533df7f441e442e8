// A Claude Code whose host has a lease, as the bridge sees it.
import { afterEach, expect, test } from 'vitest';
import { isRunning } from '../../../src/base/process/process-identity.ts';
import { AgentWorld } from '../support/agent-world.ts';

let world: AgentWorld;
afterEach(() => world[Symbol.asyncDispose]());

test('a lease that is not renewed ends the turn in words, and the next message goes on', async () => {
  world = await AgentWorld.open();
  await world.ask('hello');
  const { pid } = world;
  world.say('[[say:I begin]][[hang]]');
  await world.next('prompt.taken', 2);
  world.agent.lease('k', 60_000);
  world.agent.lease('k', undefined);
  world.agent.lease('k', 100);
  expect(await world.next('agent.exited')).toMatchObject({
    failure: 'exited',
    detail: expect.stringContaining('Claude Code ended'),
  });
  expect(isRunning(pid)).toBe(false);
  expect(await world.ask('again')).toContain('again');
});

test('one that nobody renews after the start ends what was started', async () => {
  world = await AgentWorld.open({ leaseOf: () => 2_000 });
  world.agent.start(world.session());
  await world.next('agent.exited');
  expect(world.agent.sessions()).toMatchObject([{ state: 'stopped', pid: undefined }]);
});
