import { expect, test } from 'vitest';
import { Guesses } from '../../../src/bridge/app/guesses.ts';
import { ManualClock } from '../../support/manual-clock.ts';

test('more than 20 wrong codes within a minute mute their sender, for as long as they are that many', () => {
  const clock = new ManualClock();
  const guesses = new Guesses(clock);
  for (let count = 0; count < 20; count += 1) guesses.record('mallory');
  expect(guesses.isMuted('mallory')).toBe(false);
  clock.advance(30_000);
  guesses.record('mallory');
  expect([guesses.isMuted('mallory'), guesses.isMuted('alice')]).toEqual([true, false]);
  clock.advance(30_001);
  expect(guesses.isMuted('mallory')).toBe(false);
});

test('names are forgotten before they fill the memory', () => {
  const guesses = new Guesses(new ManualClock());
  for (let count = 0; count < 21; count += 1) guesses.record('first');
  for (let count = 0; count < 1000; count += 1) guesses.record(`sender ${count}`);
  expect(guesses.isMuted('first')).toBe(false);
});
