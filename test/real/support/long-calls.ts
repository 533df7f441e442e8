// Calls of lent and provided tools that take longer than the two minutes after which Claude Code would turn to something
// else. They wait at the same time, and leave the processors to the tests beside them.
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { OpenClawClient } from '../../support/openclaw-client.ts';
import type { World } from './world.ts';

/** What their bridge has in its configuration. The model has to be one that uses tools. */
export const longCallsConfig = {
  policy: [
    { tool: 'exec', decision: 'allow' },
    { tool: 'read', decision: 'ask' },
  ],
  providers: [
    {
      name: 'report',
      command: [process.execPath, resolve(import.meta.dirname, '../../fixtures/steerable-provider.mjs')],
      permissions: ['read:report'],
      timeoutMs: 600_000,
    },
  ],
};

/** The tests, for a block whose tests run at the same time. @param world asked when they run */
export function longCalls(world: () => World): void {
  const chat = (key: string, runTool: (name: string) => Promise<string>) =>
    new OpenClawClient({
      url: () => world().bridge.url,
      token: world().bridge.provider.apiKey,
      sessionKey: `agent:main:${key}`,
      sessionId: `id of ${key}`,
      headers: { 'x-openclaw-session-key': encodeURIComponent(`agent:main:${key}`) },
      runTool,
      pause: async () => {},
    });

  test('the result of a lent tool after 150 s', async () => {
    const client = chat('exec', async () => {
      await wait(150_000);
      return 'built 17 files';
    });
    expect(await client.say('use mcp__synthesis__exec {"path":"make all"}')).toContain('built 17 files');
    expect(JSON.stringify(resultIn(world(), 'make all'))).toContain('built 17 files');
    expect(await client.say('are you well?')).toContain('are you well?');
  });

  test('the result of a provider after 140 s', async () => {
    const client = chat('provider', async () => '');
    // Degraded is what a busy machine makes of a provider whose first probes took long.
    expect(await client.say('use mcp__synthesis__report_slow {"ms":140000}')).toMatch(/healthy|degraded/);
    expect(JSON.stringify(resultIn(world(), 'use mcp__synthesis__report_slow'))).toContain('slow');
    expect(await client.say('are you well?')).toContain('are you well?');
  });

  test('a yes about a lent tool after 135 s', async () => {
    const client = chat('late', async (name) => `${name} ran in the hub`);
    const question = await client.say('use mcp__synthesis__read {"path":"late"}');
    const code = /`yes ([a-km-z]{5})/.exec(question ?? '')?.[1];
    expect(code, question).toBeDefined();
    await wait(135_000);
    expect(await client.say(`yes ${code}`)).toContain('read ran in the hub');
    expect(JSON.stringify(resultIn(world(), '"path":"late"'))).toContain('read ran in the hub');
    expect(await client.say('are you well?')).toContain('are you well?');
  });
}

/** What Claude's model was given for the only call of the chat that has these words. */
function resultIn({ api }: World, words: string): unknown {
  const asked = api.turns.filter(({ userTexts }) => userTexts.some((text) => text.includes(words)));
  return asked.find(({ toolResults }) => toolResults.length > 0)?.last;
}
