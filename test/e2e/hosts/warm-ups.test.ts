// `POST /v1/warm`: Claude Code starts before the message is here, and has the tools that come with it.
import { expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { House, type Road } from '../support/house.ts';

/** Nobody is asked. */
const policy = [{ tool: 'hammer', decision: 'allow' }];

async function warm({ bridge }: House, key: string): Promise<unknown> {
  const { baseURL, apiKey } = bridge.client('unused');
  const headers = { authorization: `Bearer ${apiKey}`, 'x-synthesis-session': key };
  return (await fetch(`${baseURL}/warm`, { method: 'POST', headers })).json();
}

const told = ({ bridge }: House, type: string): unknown[] =>
  bridge.lines.filter(({ event }) => event === type).map(({ session }) => session);

/** A message that lends a tool and has Claude call it. @returns the name of the tool that the hub is to run */
async function calls(house: House, key: string): Promise<string | undefined> {
  const { choices } = await house.bridge.client(key).chat.completions.create({
    model: 'claude',
    messages: [{ role: 'user', content: '[[tool:mcp__synthesis__hammer {}]]' }],
    tools: [{ type: 'function', function: { name: 'hammer', parameters: { type: 'object' } } }],
  });
  const call = choices[0]?.message.tool_calls?.[0];
  // Nobody is going to run it.
  await house.command('interrupt', key);
  return call?.type === 'function' ? call.function.name : undefined;
}

for (const road of ['terminal', 'channel'] satisfies Road[]) {
  test(`by ${road} it is ready before any message, and the first one can call what it brings`, async () => {
    await using house = await House.open(road, { policy });
    expect(await warm(house, 'a')).toEqual({ session: 'a', started: true });
    await until('Claude Code', () => told(house, 'agent.ready').includes('a'), 20_000);
    expect(told(house, 'turn.queued')).toEqual([]);
    expect(await calls(house, 'a')).toBe('hammer');
    expect(told(house, 'agent.starting')).toEqual(['a']);
  });

  test(`by ${road} a message that comes while it starts finds that one`, async () => {
    await using house = await House.open(road, { policy });
    await warm(house, 'a');
    expect(await calls(house, 'a')).toBe('hammer');
    expect(await warm(house, 'a')).toMatchObject({ why: 'running' });
    expect(told(house, 'agent.starting')).toEqual(['a']);
  });
}

test('one that a killed bridge has warmed is found by the message, behind the next start', async () => {
  await using house = await House.open('terminal', { policy });
  await warm(house, 'a');
  await until('Claude Code', () => told(house, 'agent.ready').includes('a'), 20_000);
  await house.killed();
  expect(await calls(house, 'a')).toBe('hammer');
  expect(house.rows('agent.ready')).toHaveLength(1);
});
