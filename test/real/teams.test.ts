// A team of the real Claude Code, which somebody has to switch on: of its members no list says whether they work, and
// what Claude says of them begins a turn that nothing announces.
import { expect, test } from 'vitest';
import type { SessionRow } from '../../src/domain/views/session/session-row.ts';
import { gate } from './support/gate.ts';
import { WatchedWorld } from './support/watched-world.ts';

test('a teammate is at work until it stops, and what Claude says of it then reaches the chat', async () => {
  await using world = await WatchedWorld.start('team', {
    env: { CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: '1' },
  });
  const flight = gate();
  world.api.on('fly until called', async (answer) => {
    await flight.opened;
    answer.text('I have flown.');
  });
  world.api.on('send the kite', (answer, { body }) => {
    if (JSON.stringify(body.messages).includes('tool_result')) answer.text('The kite flies.');
    else answer.tool('Agent', { description: 'high up', name: 'kite', prompt: 'fly until called' });
  });
  world.api.on('idle_notification', (answer) => answer.text('The kite is back.'));
  const atWork = async () => {
    const [row] = JSON.parse(await world.command('ps', '--json')) as SessionRow[];
    return row?.agents.length;
  };

  expect(await world.ask('s', 'send the kite')).toContain('The kite flies.');
  expect(await world.ask('s', 'are you well?')).toContain('are you well?');
  expect(await atWork()).toBe(1);
  flight.open();

  await world.says('s', 'The kite is back.');
  await world.rests('s');
  expect(await atWork()).toBe(0);
  expect(world.events('s', 'task.began')).toMatchObject([{ kind: 'agent' }]);
  const next = await world.ask('s', 'and now?');
  expect(next).toContain('The kite is back.');
  expect(next).toContain('and now?');
});
