// The real Claude Code with tools that are lent to it where messages are typed: served through its host, over HTTP.
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OpenClawClient } from '../support/openclaw-client.ts';
import { until } from '../support/until.ts';
import { claudePids } from './support/processes.ts';
import { World } from './support/world.ts';

let world: World;
beforeAll(async () => {
  world = await World.start('lent');
  world.api.on('use ', (answer, { last, newest, toolResults }) => {
    const name = /use (\w+)/.exec(newest)?.[1] ?? '';
    if (toolResults.length === 0) answer.tool(`mcp__synthesis__${name}`, {});
    else answer.text(`It says: ${JSON.stringify(last)}`);
  });
});
afterAll(() => world?.[Symbol.asyncDispose]());

/** What the model can call of ours, of the request that has these words. */
function toolsOf(words: string): string[] {
  const asked = world.api.turns.find(({ newest }) => newest.includes(words));
  const names = asked?.body.tools?.map(({ name }) => name) ?? [];
  return names.flatMap((name) => /^mcp__synthesis__(.*)/.exec(name)?.[1] ?? []).sort();
}

function chat(key: string, runTool: (name: string) => Promise<string>): OpenClawClient {
  return new OpenClawClient({
    url: () => world.bridge.url,
    token: world.bridge.provider.apiKey,
    sessionKey: key,
    sessionId: `id of ${key}`,
    headers: { 'x-openclaw-session-key': encodeURIComponent(key) },
    runTool,
    pause: async () => {},
  });
}

test('the first request of a new conversation has all of them, each time, and the model is told of none to come', async () => {
  for (const at of Array.from({ length: 12 }, (_, n) => n)) {
    const words = `hello number ${at}.`;
    const key = `agent:main:first${at}`;
    await chat(key, async () => '').say(words);
    expect(toolsOf(words), words).toEqual(['exec', 'read', 'reply']);
    const asked = world.api.turns.find(({ newest }) => newest.includes(words));
    expect(JSON.stringify(asked?.body.messages), words).not.toContain('still connecting');
    await world.bridge.command('stop', key);
  }
});

test('Claude Code has no process for them', async () => {
  await chat('agent:main:alone', async () => '').say('how many are we');
  const session = world.api.turns.find(({ newest }) => newest.includes('how many are we'))?.session ?? '';
  const [pid] = await claudePids(session);
  const { stdout } = await execa('ps', ['-o', 'args=', '--ppid', String(pid)], { reject: false });
  expect(stdout).not.toContain('channel');
});

test('a call that the hub runs while the bridge is killed is answered by the next one, once', async () => {
  let runs = 0;
  const client = chat('agent:main:killed', async (name) => {
    runs += 1;
    await world.crash();
    return `${name} ran beside a killed bridge`;
  });
  expect(await client.say('use read')).toContain('read ran beside a killed bridge');
  expect(runs).toBe(1);
});

/** One message of a plain client that lends tools of these names, and runs none. */
async function say(session: string, content: string, names: string[]) {
  const tools = names.map((name) => ({
    type: 'function' as const,
    function: { name, description: name, parameters: { type: 'object', properties: {} } },
  }));
  const { choices } = await world.bridge.openai.chat.completions.create(
    { model: 'claude', messages: [{ role: 'user', content }], tools },
    { headers: { 'x-synthesis-session': session } },
  );
  return choices[0];
}

test('an interrupt takes a call back, and the next message finds the same Claude Code', async () => {
  const called = await say('interrupted', 'use read', ['read']);
  expect(called?.finish_reason).toBe('tool_calls');
  const processes = () => claudePids(world.api.turns.at(-1)?.session ?? '');
  const before = await processes();
  await world.bridge.command('interrupt', 'interrupted');
  const logged = async () => world.bridge.command('logs', 'interrupted', '--json');
  await until('the end of the call', async () => /"tool\.(dropped|cancelled)"/.test(await logged()), 20_000);
  const next = await say('interrupted', 'still there', ['read']);
  expect(next?.message.content).toContain('still there');
  expect(await processes()).toEqual(before);
});

test('other tools are there with the first message that brings them, each time', async () => {
  const names = ['hammer', 'saw', 'plane', 'rasp', 'chisel', 'level', 'vise', 'awl'];
  for (const at of names.keys()) {
    const words = `with the ${names[at]}.`;
    await say('changing', words, names.slice(0, at + 1));
    expect(toolsOf(words), words).toEqual([...names.slice(0, at + 1), 'reply'].sort());
  }
});

test('a conversation that is warm before its first message has all of that message’s tools in it', async () => {
  for (const at of Array.from({ length: 6 }, (_, n) => n)) {
    const key = `warm${at}`;
    const response = await fetch(`${world.bridge.url}/v1/warm`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.bridge.provider.apiKey}`, 'x-synthesis-session': key },
    });
    expect(await response.json()).toEqual({ session: key, started: true });
    // Into its start, at another moment each time, and behind it.
    await new Promise((resolve) => setTimeout(resolve, at * 250));
    const words = `hello warm number ${at}.`;
    await say(key, words, ['hammer']);
    expect(toolsOf(words), words).toEqual(['hammer', 'reply']);
    const logged = await world.bridge.command('logs', key, '--json');
    expect(logged.match(/"agent\.starting"/g)).toHaveLength(1);
    await world.bridge.command('stop', key);
  }
});
