// A background agent of the real Claude Code asks for permission, and the turn that began it is over long before a person
// answers.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { AgentModel, endOf, heardOf } from './support/agent-model.ts';
import { gate } from './support/gate.ts';
import { WatchedWorld } from './support/watched-world.ts';

let world: WatchedWorld;
let model: AgentModel;
beforeAll(async () => {
  world = await WatchedWorld.start('agent-asks');
  model = new AgentModel(world.api);
});
afterAll(() => world?.[Symbol.asyncDispose]());

interface Asked {
  code: string;
  /** Lets Claude write to the end, and its turn end. */
  endsTurn(): Promise<void>;
}

/** Has an agent of this chat ask while Claude still writes. */
async function asks(chat: string): Promise<Asked> {
  const rest = gate();
  model.hold(`${chat}essay`, () => rest.opened);
  model.command(`${chat}agent`, `touch ${chat}.txt`);
  const answer = world.ask(chat, `start ${chat}agent, write ${chat}essay`);
  const asked = () => world.events(chat, 'permission.asked')[0];
  const code = String((await until('the question', asked, 60_000)).code);
  await until('the main turn to write', () => model.reached.has(`${chat}essay`));
  expect(await answer).toContain(`yes ${code}`);
  return {
    code,
    async endsTurn() {
      rest.open();
      await world.says(chat, endOf(`${chat}essay`));
      await world.rests(chat);
    },
  };
}

/** The command ran or did not, as the person said; Claude heard of the agent; the chat goes on. */
async function expectDone(chat: string, verdict: 'allow' | 'deny'): Promise<void> {
  await world.says(chat, heardOf(`${chat}agent`));
  expect(existsSync(join(world.cwd, `${chat}.txt`))).toBe(verdict === 'allow');
  const settled = await until('the end of the question', () => world.events(chat, 'permission.settled')[0]);
  expect(settled).toMatchObject({ outcome: 'applied' });
  expect(world.events(chat, 'permission.decided')).toMatchObject([{ verdict }]);
  expect(await world.ask(chat, 'are you well?')).toContain('You said: [user] are you well?');
  await world.rests(chat);
}

describe.each([1, 8])('the turn is over, and the person thinks for %i s', (seconds) => {
  test.each([
    ['allow', 'yes'],
    ['deny', 'no'],
  ] as const)('then says %s', async (verdict, word) => {
    const chat = `${verdict}${seconds}`;
    const { code, endsTurn } = await asks(chat);
    await endsTurn();
    await wait(seconds * 1000);
    expect(await world.ask(chat, `${word} ${code}`)).not.toContain('Already answered');
    await expectDone(chat, verdict);
  });
});

test('a message behind the turn is answered, and the question stays open', async () => {
  const { code, endsTurn } = await asks('behind');
  await endsTurn();
  expect(await world.ask('behind', 'what is new?')).toContain('You said: [user] what is new?');
  expect(world.events('behind', 'permission.settled')).toEqual([]);
  await world.ask('behind', `yes ${code}`);
  await expectDone('behind', 'allow');
});

test('a message while Claude still writes is answered, and the question stays open', async () => {
  const { code, endsTurn } = await asks('within');
  const answer = world.ask('within', 'what is new?');
  await until('the message in line', () => world.events('within', 'turn.queued').length === 2);
  await endsTurn();
  await world.says('within', 'You said: [user] what is new?');
  expect(world.events('within', 'permission.settled')).toEqual([]);
  await answer;
  await world.ask('within', `yes ${code}`);
  await expectDone('within', 'allow');
});

test('Claude stops an agent that waits: its question is over, and a late yes runs nothing', async () => {
  world.api.on(
    ({ userTexts }) =>
      userTexts.findLast((text) => text.includes('[user] '))?.includes('stop your agent') ?? false,
    (answer, { body }) => {
      const messages = JSON.stringify(body.messages);
      const [, agent] = /agentId: (\w+)/.exec(messages) ?? [];
      if (messages.includes('Successfully stopped')) answer.text('It is stopped.');
      else if (messages.includes('"name":"TaskStop"')) answer.text('It did not stop.');
      else if (messages.includes('select:TaskStop')) answer.tool('TaskStop', { task_id: agent });
      else answer.tool('ToolSearch', { query: 'select:TaskStop' });
    },
  );
  const { code, endsTurn } = await asks('stopped');
  await endsTurn();
  expect(await world.ask('stopped', 'stop your agent')).toContain('It is stopped.');
  await until('the end of the question', () => world.events('stopped', 'permission.settled')[0]);
  await world.ask('stopped', `yes ${code}`);
  expect(world.events('stopped', 'permission.decided')).toEqual([]);
  expect(await world.ask('stopped', 'are you well?')).toContain('You said: [user] are you well?');
  await world.rests('stopped');
  expect(existsSync(join(world.cwd, 'stopped.txt'))).toBe(false);
});
