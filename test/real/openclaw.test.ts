// The product's main road: a message in OpenClaw, answered by the real Claude Code.
import { expect, test } from 'vitest';
import { isolatedHome } from './support/isolated-home.ts';
import { claudePids } from './support/processes.ts';
import { RealOpenClaw } from './support/real-openclaw.ts';
import { World } from './support/world.ts';

test('each OpenClaw session key has a Claude of its own that remembers what was said', async () => {
  await using world = await World.start('openclaw-bridge');
  await using home = await isolatedHome('openclaw-user');
  await using openclaw = await RealOpenClaw.start(home.path, world.bridge.provider);
  const { api } = world;
  api.on('my colour is', (answer) => answer.text('Noted, your colour.'));
  api.on('what is my colour', (answer, request) => {
    const colour = request.userTexts.join('\n').match(/my colour is (\w+)/)?.[1];
    answer.text(colour ? `Your colour is ${colour}.` : 'You have not told me.');
  });

  expect(await openclaw.agent('agent:main:first', 'my colour is teal')).toBe('Noted, your colour.');
  expect(await openclaw.agent('agent:main:first', 'what is my colour?')).toBe('Your colour is teal.');
  expect(await openclaw.agent('agent:main:second', 'what is my colour?')).toBe('You have not told me.');

  const [told, asked, other] = api.turns.map((turn) => turn.session ?? '');
  expect(api.turns.length).toBe(3);
  expect(asked).toBe(told);
  expect(other).not.toBe(told);
  const pids = [...(await claudePids(told ?? '-')), ...(await claudePids(other ?? '-'))];
  expect(new Set(pids).size).toBe(2);
  // OpenClaw's own prompt and its notes about the channel stay outside.
  expect(JSON.stringify(api.turns.map((turn) => turn.body))).not.toMatch(
    /running inside OpenClaw|OPENCLAW_INTERNAL_CONTEXT|Runtime: agent=/,
  );
});
