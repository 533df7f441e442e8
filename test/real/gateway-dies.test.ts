// A real gateway that dies in the middle of a turn: nobody has pressed stop, so Claude goes on, and the gateway that comes
// back shows its answer.
import { expect, test } from 'vitest';
import { OperatorSocket } from '../support/operator-socket.ts';
import { until } from '../support/until.ts';
import { alice, direct, TelegramWorld } from './support/telegram-world.ts';

/** Milliseconds of Claude's work: longer than a closed connection is waited for. */
const workMs = 20_000;

// Twice without a pause: at the second end the bridge may not have reached the gateway again.
test('a turn outlives the gateway that asked for it, and the next one reads its answer', async () => {
  await using world = await TelegramWorld.start('gateway-dies', [], { gateway: true });
  await using operator = await OperatorSocket.open(world.bridge.stateDir);
  const key = 'agent:main:main';
  await world.ask('hello', 'You said:');
  await world.reaches(key, 'idle');
  for (const words of ['it went on', 'it went on again']) {
    const before = world.telegram.mark;
    world.telegram.write(direct, alice, `[[wait:${workMs}]][[say:${words}]]`);
    await world.reaches(key, 'working');
    await world.openclaw.crash();
    const { text } = await world.telegram.answer(direct, words, before);
    expect(text).not.toContain('was stopped');
  }
  expect(operator.events('turn.handed')).toHaveLength(3);
  expect(operator.events('turn.cancelling')).toEqual([]);
  await until('the end of both turns', async () => (await world.session(key))?.state === 'idle');
});
