// A scheduled run of OpenClaw's, given to the real Claude Code: one answer, which ends when nothing is left at work.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { World } from './support/world.ts';

/** @returns its whole answer */
async function runsJob({ bridge }: World, text: string): Promise<string> {
  const { baseUrl, apiKey } = bridge.provider;
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'claude',
      stream: true,
      prompt_cache_key: 'openclaw-cron-0123456789abcdef0123456789abcdef',
      messages: [
        { role: 'system', content: 'You are a personal assistant running inside OpenClaw.' },
        { role: 'user', content: `[cron:7f3a nightly report] ${text}` },
      ],
      tools: [{ type: 'function', function: { name: 'exec', parameters: { type: 'object' } } }],
    }),
  });
  const chunks = (await response.text()).split('\n').filter((line) => line.startsWith('data: {'));
  return chunks
    .map((line) => JSON.parse(line.slice(6)) as { choices: { delta: { content?: string } }[] })
    .map(({ choices }) => choices[0]?.delta.content ?? '')
    .join('');
}

test('is over when Claude has stopped the command that it started in the background', async () => {
  await using world = await World.start('scheduled');
  const settings = { permissions: { allow: ['Bash(sleep *)'] } };
  await writeFile(join(await world.home.directory('.claude'), 'settings.json'), JSON.stringify(settings));
  world.api.on(
    () => true,
    (answer, { body }) => {
      const heard = JSON.stringify(body.messages);
      const task = /running in background with ID: (\w+)/.exec(heard)?.[1];
      if (heard.includes('Successfully stopped task')) answer.text('I watch it no more.');
      else if (heard.includes('select:TaskStop')) answer.tool('TaskStop', { task_id: task });
      else if (task) answer.tool('ToolSearch', { query: 'select:TaskStop' });
      else answer.tool('Bash', { command: 'sleep 1000', run_in_background: true, description: 'watch' });
    },
  );

  expect(await runsJob(world, 'watch the oven')).toBe('I watch it no more.');
});

test('is over when its team is idle, and tells what Claude says of it', async () => {
  await using world = await World.start('scheduled-team', {
    env: { CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: '1' },
  });
  world.api.on('fly around', (answer) => answer.text('I have flown.'));
  world.api.on('send the kite', (answer, { body }) => {
    if (JSON.stringify(body.messages).includes('tool_result')) answer.text('The kite flies.');
    else answer.tool('Agent', { description: 'high up', name: 'kite', prompt: 'fly around' });
  });
  world.api.on('idle_notification', (answer) => answer.text('The kite is back.'));

  expect(await runsJob(world, 'send the kite')).toMatch(/^The kite flies\.[^.]*The kite is back\.$/);
});
