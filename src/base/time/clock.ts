/** Stops a timer. Calling it again, or after the timer fired, does nothing. */
export type Cancel = () => void;

/** Time as an argument, so that tests own it. */
export interface Clock {
  /** Monotonic milliseconds: for every deadline and duration. Never jumps. */
  now(): number;
  /** Wall clock, epoch milliseconds: a label for people, never compared. */
  wall(): number;
  /** Runs `fn` once after `ms` milliseconds; the timer does not keep the process alive. */
  after(ms: number, fn: () => void): Cancel;
}

/** Resolves after `ms` milliseconds. */
export const pause = (clock: Clock, ms: number): Promise<void> =>
  new Promise((resolve) => void clock.after(ms, resolve));

/** setTimeout fires at once above 2^31-1 ms; nothing here waits longer than that. */
const longestTimer = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  after(ms, fn) {
    let soon: NodeJS.Immediate | undefined;
    // Node looks at its timers first. Where this process stood still, what is waited for has come, and is read before.
    // With `unref` it would wait for whatever wakes the process next.
    const due = () => {
      soon = setImmediate(fn);
    };
    const timer = setTimeout(due, Math.min(Math.max(0, ms), longestTimer));
    timer.unref();
    return () => {
      clearTimeout(timer);
      clearImmediate(soon);
    };
  },
};
