// The channel with the real Claude Code, which offline listens to none: that is said, and messages are typed.
import { expect, test } from 'vitest';
import type { SessionRow } from '../../src/domain/views/session/session-row.ts';
import { until } from '../support/until.ts';
import { AgentModel, endOf, heardOf } from './support/agent-model.ts';
import { gate } from './support/gate.ts';
import { WatchedWorld } from './support/watched-world.ts';

test('with consent to the channel, each message is answered: alone, two at once, and while an agent works', async () => {
  await using world = await WatchedWorld.start('channel', { delivery: 'channel' });
  const model = new AgentModel(world.api);
  const said = (text: string) => `You said: [user] ${text}`;

  expect(await world.ask('s', 'hello')).toContain(said('hello'));
  const [row] = JSON.parse(await world.command('ps', '--json')) as SessionRow[];
  expect(row?.delivery).toBe('terminal');
  expect(row?.health).toMatchObject([{ code: 'channel_unavailable' }]);
  expect(row?.health[0]?.words).toContain('Channels are not currently available');

  const [one, two] = await Promise.all([world.ask('s', 'the first'), world.ask('s', 'the second')]);
  expect(one).toContain(said('the first'));
  expect(two).toContain(said('the second'));

  const [work, essay] = [gate(), gate()];
  model.hold('red', () => work.opened);
  model.hold('plan', () => essay.opened);
  const writing = world.ask('s', 'start red, write plan');
  await until('Claude to write', () => model.reached.has('plan'), 60_000);
  const meanwhile = world.ask('s', 'while you write');
  await until('the message in line', () => world.events('s', 'turn.queued').length === 5);
  essay.open();
  expect(await writing).toContain(endOf('plan'));
  expect(await meanwhile).toContain(said('while you write'));
  expect(await world.ask('s', 'while it works')).toContain(said('while it works'));
  expect(model.ended).not.toContain('red');
  work.open();
  await world.says('s', heardOf('red'));
  await world.rests('s');
});
