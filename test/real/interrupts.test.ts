// People who change their minds, in the real Claude Code: each new message stops the one before.
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { gate } from './support/gate.ts';
import { WatchedWorld } from './support/watched-world.ts';

/** How often three are sent. */
const rounds = process.env.HUNT ? 20 : 5;

test('three interrupts in a second, before the first word, end no Claude Code', async () => {
  await using world = await WatchedWorld.start('interrupts', {
    config: { limits: { messagesPerMinute: 1000 } },
  });
  await world.ask('s', 'hello');
  for (let round = 0; round < rounds; round += 1) {
    const thinking = gate();
    world.api.on(`try ${round}.`, async (answer, { newest }) => {
      if (!newest.includes(`try ${round}.3`)) await thinking.opened;
      answer.text(`This is ${newest.match(/try \d+\.\d/)?.[0]}.`);
    });
    const asked = [];
    for (const each of [0, 1, 2, 3]) {
      asked.push(world.ask('s', `${each > 0 ? '+interrupt ' : ''}try ${round}.${each}`));
      // As far apart as a person's messages are: what is looked for depends on it.
      if (each < 3) await pause(350 + 20 * round);
    }
    // One that waited for its turn by then is answered as well.
    thinking.open();
    const answers = await Promise.all(asked);
    expect(answers.at(-1)).toContain(`This is try ${round}.3.`);
  }
  expect(world.events('s', 'agent.exited')).toEqual([]);
  expect(world.events('s', 'agent.starting')).toHaveLength(1);
});
