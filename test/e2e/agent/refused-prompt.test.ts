import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AgentWorld } from '../support/agent-world.ts';

const hook = `if grep -q '"prompt":"[^"]*ladder'; then echo 'No ladders.' >&2; exit 2; fi`;

test("a hook of the user's that refuses a message is told in its words, and leaves nothing in the box", async () => {
  await using world = await AgentWorld.open();
  const home = join(world.root, 'home/.claude');
  mkdirSync(home, { recursive: true });
  const hooks = { UserPromptSubmit: [{ hooks: [{ type: 'command', command: hook }] }] };
  writeFileSync(join(home, 'settings.json'), JSON.stringify({ hooks }));
  await world.ask('hello');

  for (const count of [1, 2]) {
    world.say('paint the ladder');
    expect(await world.next('turn.failed', count)).toMatchObject({
      code: 'prompt_blocked',
      detail: 'No ladders.',
    });
  }
  expect(await world.ask('and now')).toContain('You said: [alice] and now\n');
  expect(world.of('turn.idle')).toEqual([]);
});
