import { type Clock, systemClock } from '../../../src/base/time/clock.ts';

/** Real time, `factor` times as fast: the waits of the protocol stay in proportion, the test does not take minutes. */
export const fastClock = (factor: number): Clock => ({
  now: () => systemClock.now() * factor,
  wall: systemClock.wall,
  after: (ms, fn) => systemClock.after(ms / factor, fn),
});
