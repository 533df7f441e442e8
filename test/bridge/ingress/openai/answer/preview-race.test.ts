// A hub that shows answers while they grow gets the second of two in a row slowly enough to show it on its own.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PreviewRace, showsPreview } from '../../../../../src/bridge/ingress/openai/answer/preview-race.ts';
import { ManualClock } from '../../../../support/manual-clock.ts';
import { SmallBridge } from '../../../../support/small-bridge.ts';
import { until } from '../../../../support/until.ts';
import { groupBody, STAMP, senderBlock } from '../request.ts';

test.each([
  ['telegram', 'partial', true],
  ['telegram', 'block', true],
  ['telegram', undefined, true],
  ['telegram', 'something newer', true],
  ['telegram', 'progress', false],
  ['telegram', 'off', false],
  ['webchat', undefined, false],
  ['cli', 'partial', false],
  [undefined, 'partial', false],
])('a chat of %s in the mode %s: %s', (channel, mode, shows) => {
  expect(showsPreview(channel, mode)).toBe(shows);
});

test('an answer is held when another of its conversation finished within two seconds, and no other', () => {
  const step = fc.record({ after: fc.nat(3_000), key: fc.constantFrom('a', 'b', 'c') });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const clock = new ManualClock();
      const race = new PreviewRace(clock);
      const last = new Map<string, number>();
      for (const { after, key } of steps) {
        clock.advance(after);
        for (const each of ['a', 'b', 'c']) {
          const since = clock.now() - (last.get(each) ?? Number.NEGATIVE_INFINITY);
          expect(race.holdMs(each)).toBe(since <= 2_000 ? 4_000 : 0);
        }
        race.finished(key);
        last.set(key, clock.now());
      }
    }),
  );
});

const said = (text: string) => ({ role: 'user', content: `${STAMP}${senderBlock({ id: '501' })}${text}` });

/** Reads a stream. @returns what was read so far, and whether it has ended */
function follow(response: Response): { text: string; ended: boolean } {
  const read = { text: '', ended: false };
  void (async () => {
    for await (const chunk of response.body ?? []) read.text += new TextDecoder().decode(chunk);
    read.ended = true;
  })();
  return read;
}

test.each([
  ['may show it while it grows', {}, 4_000],
  ['shows progress only', { 'x-openclaw-streaming': 'progress' }, 0],
])('a second answer in a chat that %s', async (_, headers, held) => {
  const clock = new ManualClock();
  await using bridge = await SmallBridge.start({ streamClock: clock });
  const ask = async (text: string) => follow(await bridge.post(groupBody(said(text)), { headers }));
  const first = await ask('one');
  await until('the first answer to end', () => first.ended);
  clock.advance(1_000);
  const second = await ask('two');
  await until('the text', () => second.text.includes('You said: two'));
  if (held > 0) {
    await until('its finish to be held', () => clock.timers === 2);
    clock.advance(held - 1);
    // A turn of the loop in which a finish that was not held would have been read.
    await (await bridge.post('{}')).text();
    expect(second.text).not.toContain('"finish_reason":"stop"');
    clock.advance(1);
  }
  await until('the second answer to end', () => second.ended);
  expect(second.text).toContain('"finish_reason":"stop"');
  // Whoever waits longer than that is not concerned.
  clock.advance(2_001);
  const third = await ask('three');
  await until('the third answer to end', () => third.ended);
});

test('who hangs up while it is held keeps nothing waiting', async () => {
  const clock = new ManualClock();
  await using bridge = await SmallBridge.start({ streamClock: clock });
  const first = follow(await bridge.post(groupBody(said('one'))));
  await until('the first answer to end', () => first.ended);
  const gone = new AbortController();
  const response = await bridge.post(groupBody(said('two')), { signal: gone.signal });
  await until('its finish to be held', () => clock.timers === 2);
  gone.abort();
  await expect(response.text()).rejects.toThrow();
  await until('every timer to be taken back', () => clock.timers === 0);
});
