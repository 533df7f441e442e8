import type { ManualClock } from '../../support/manual-clock.ts';

/** Lets time go by in steps, ms, and whoever waits for it do what they do then: a watch is a chain of promises. */
export async function elapse(clock: ManualClock, ms: number, step = 50): Promise<void> {
  await chains();
  for (let passed = 0; passed < ms; passed += step) {
    clock.advance(step);
    await chains();
  }
}

async function chains(): Promise<void> {
  for (let each = 0; each < 20; each += 1) await Promise.resolve();
}
