// An orderly stop of the whole bridge: nobody's connection is reset, and what waited is answered by the next one.
import { expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { Home } from './support/program.ts';

test('a message that waits when the bridge stops is told to be kept, and is answered after the next start', async () => {
  await using home = new Home();
  const bridge = await home.up();
  const settled = (which: typeof bridge) =>
    which.lines.filter((line) => line.event === 'turn.settled').length;
  const first = bridge.ask('s', 'apple [[hang]]');
  await until('the first turn', () => bridge.lines.some((line) => line.event === 'turn.running'));
  const second = bridge.ask('s', 'banana');
  await until(
    'the second message',
    () => bridge.lines.filter((line) => line.event === 'turn.queued').length === 2,
  );
  expect(await bridge.end()).toBe(0);
  expect(await first).toContain('The bridge is being shut down.');
  expect(await second).toMatch(/"banana".*is kept: Claude answers it when the bridge runs again/s);
  const next = await home.up();
  await until('its answer', () => settled(next) === 1, 20_000);
  const answer = await next.ask('s', 'cherry');
  expect(answer).toMatch(/answer to your earlier message "banana".*banana.*cherry/s);
});
