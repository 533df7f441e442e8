// Permission questions of the simulated Claude: hook, relay and its own dialog.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { AgentWorld, type WorldOptions } from '../support/agent-world.ts';

let world: AgentWorld;
afterEach(() => world[Symbol.asyncDispose]());
const open = async (options?: WorldOptions) => {
  world = await AgentWorld.open(options);
};
const made = (name: string) => existsSync(join(world.cwd, name));
const write = (name: string) => `[[write:${join(world.cwd, name)} hello]]`;
const answer = (code: string, verdict: 'allow' | 'deny', reason?: string) =>
  world.agent.answerPermission('k', {
    code,
    verdict,
    scope: 'once',
    by: 'cli',
    ...(reason !== undefined && { reason }),
  });

describe.each([
  ['hook alone', {}],
  ['hook and channel relay', { channels: { development: true } }],
])('by %s', (_title, options) => {
  test('a question is asked once, and the tool runs only after yes', async () => {
    await open(options);
    world.say(write('a'));
    const { code, tool } = await world.next('permission.ask');
    expect(tool).toBe('Write');
    expect(made('a')).toBe(false);
    answer(code, 'allow');
    await world.next('turn.stopped');
    expect(made('a')).toBe(true);
    expect(world.of('permission.ask')).toHaveLength(1);
    expect(world.of('permission.sent')).toMatchObject([{ code }]);
    expect(world.of('permission.withdrawn')).toEqual([]);
  });

  test('no reaches Claude with its reason, and the turn goes on', async () => {
    await open(options);
    world.say(write('a'));
    answer((await world.next('permission.ask')).code, 'deny', 'not today');
    await world.next('turn.stopped');
    expect(made('a')).toBe(false);
  });

  test('yes in the terminal withdraws the question, and a verdict that comes later does nothing', async () => {
    await open(options);
    world.say(write('a'));
    const { code } = await world.next('permission.ask');
    await world.shows('❯ 1. Yes');
    world.type('\r');
    expect(await world.next('permission.withdrawn')).toMatchObject({
      code,
      detail: expect.stringMatching(/^allowed in .*terminal/),
    });
    answer(code, 'deny');
    await world.next('turn.stopped');
    expect(made('a')).toBe(true);
    expect(world.of('permission.sent')).toEqual([]);
  });
});

test('no in the terminal withdraws the question and ends the turn', async () => {
  await open();
  world.say(write('a'));
  const { code } = await world.next('permission.ask');
  await world.shows('❯ 1. Yes');
  world.type('\x1b');
  expect(await world.next('permission.withdrawn')).toMatchObject({
    code,
    detail: expect.stringMatching(/^declined in .*terminal/),
  });
  expect(await world.next('turn.idle')).toMatchObject({ interrupted: true });
  expect(made('a')).toBe(false);
});

test('a message is never typed into an open dialog', async () => {
  await open();
  world.say(write('a'));
  const { code } = await world.next('permission.ask');
  world.say('yes please, approve it');
  await world.shows('❯ 1. Yes');
  answer(code, 'deny');
  await world.next('turn.stopped', 2);
  expect(made('a')).toBe(false);
  expect(world.of('turn.stopped').at(-1)?.text).toContain('yes please, approve it');
});

test('an interrupt with an open question withdraws it', async () => {
  await open();
  world.say(write('a'));
  await world.next('permission.ask');
  await world.shows('❯ 1. Yes');
  world.agent.interrupt('k');
  await world.next('permission.withdrawn');
  expect(await world.next('turn.idle')).toMatchObject({ interrupted: true });
  expect(made('a')).toBe(false);
});

test('a question of Claude is answered in words', async () => {
  await open();
  world.say('[[ask:Which colour?|Red|Blue]]');
  const { code, tool } = await world.next('permission.ask');
  expect(tool).toBe('AskUserQuestion');
  answer(code, 'allow', '2');
  expect((await world.next('turn.stopped')).text).toContain('Blue');
});
