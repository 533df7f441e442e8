import { beforeEach, expect, test } from 'vitest';
import { Watch } from '../../src/base/waiting/watch.ts';
import { ManualClock } from '../support/manual-clock.ts';

let clock: ManualClock;
let watch: Watch;
let fact: boolean;
beforeEach(() => {
  clock = new ManualClock();
  watch = new Watch(clock);
  fact = false;
});
const set = (value: boolean) => {
  fact = value;
  watch.poke();
};

/** Lets promise callbacks run. */
const settle = async () => {
  for (let i = 0; i < 10; i += 1) await Promise.resolve();
};

test('a condition that already holds is told at once', async () => {
  expect(await watch.until(() => 'now', 1000)).toBe('now');
});

test('a condition is looked at when somebody pokes, and only then', async () => {
  const waiting = watch.until(() => fact, 1000);
  fact = true;
  clock.advance(10);
  set(true);
  expect(await waiting).toBe(true);
  expect(clock.timers).toBe(0);
});

test('a deadline ends the waiting with nothing', async () => {
  const waiting = watch.until(() => fact, 1000);
  clock.advance(1000);
  expect(await waiting).toBeUndefined();
});

test('closing ends every waiting, also what comes later', async () => {
  const waiting = watch.until(() => fact, 1000);
  watch.close();
  expect(await waiting).toBeUndefined();
  expect(await watch.until(() => fact, 1000)).toBeUndefined();
});

test('steady needs the whole time without a break', async () => {
  const waiting = watch.steady(() => fact, 100, 10_000);
  set(true);
  await settle();
  clock.advance(60);
  set(false);
  await settle();
  set(true);
  await settle();
  clock.advance(99);
  await settle();
  let done = false;
  void waiting.then(() => {
    done = true;
  });
  await settle();
  expect(done).toBe(false);
  clock.advance(1);
  expect(await waiting).toBe(true);
});

test('steady gives up at its deadline', async () => {
  const waiting = watch.steady(() => fact, 100, 1000);
  clock.advance(1000);
  expect(await waiting).toBe(false);
});
