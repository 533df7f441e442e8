import type { Log } from '../../base/log.ts';

/** Every step of stopping is taken, whatever happens in the one before: no Claude Code may stay behind. Never rejects. */
export async function takeEach(steps: readonly (() => unknown)[], log: Log): Promise<void> {
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      log.error('a step of stopping failed', { error });
    }
  }
}
