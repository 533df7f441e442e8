import { expect, test } from 'vitest';
import { Guesses } from '../../../src/bridge/app/desks/guesses.ts';
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

test('a minute is over after 60 seconds, to the millisecond', () => {
  const clock = new ManualClock();
  const guesses = new Guesses(clock);
  for (let count = 0; count < 21; count += 1) guesses.record('mallory');
  clock.advance(59_999);
  expect(guesses.isMuted('mallory')).toBe(true);
  clock.advance(1);
  expect(guesses.isMuted('mallory')).toBe(false);
});

test('of a sender who goes on, the last 21 tries count', () => {
  const clock = new ManualClock();
  const guesses = new Guesses(clock);
  for (let count = 0; count < 40; count += 1) {
    guesses.record('mallory');
    clock.advance(1_000);
  }
  clock.advance(38_999);
  expect(guesses.isMuted('mallory')).toBe(true);
  clock.advance(1);
  expect(guesses.isMuted('mallory')).toBe(false);
});

test('a thousand senders are remembered, and the one that was quiet longest is forgotten first', () => {
  const guesses = new Guesses(new ManualClock());
  for (const name of ['first', 'second']) for (let count = 0; count < 21; count += 1) guesses.record(name);
  for (let count = 0; count < 998; count += 1) guesses.record(`sender ${count}`);
  expect(guesses.isMuted('first')).toBe(true);
  guesses.record('first');
  guesses.record('one more');
  expect([guesses.isMuted('first'), guesses.isMuted('second')]).toEqual([true, false]);
});
