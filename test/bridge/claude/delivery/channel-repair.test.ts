import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { Watch } from '../../../../src/base/waiting/watch.ts';
import {
  patienceMs,
  untilChannelDies,
  type WatchedChannel,
} from '../../../../src/bridge/claude/delivery/channel-repair.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

/** A channel that has just lost its connection. @returns whether it is taken for dead, after some milliseconds more */
function lost(pid: number): (ms: number) => Promise<boolean> {
  const clock = new ManualClock();
  const run: WatchedChannel = {
    watch: new Watch(clock),
    exit: undefined,
    stopping: undefined,
    link: { pid, connected: false },
  };
  let isDead = false;
  void untilChannelDies(run).then(() => {
    isDead = true;
  });
  return async (ms) => {
    // The waiting is a chain of promises.
    for (let passed = 0; passed < ms; passed += 50) {
      clock.advance(50);
      for (let each = 0; each < 10; each += 1) await Promise.resolve();
    }
    return isDead;
  };
}

test('a channel whose process has ended is dead at once', async () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  expect(await lost(pid)(100)).toBe(true);
});

test('a channel whose process runs is waited for again and again', async () => {
  expect(await lost(process.pid)(4 * patienceMs)).toBe(false);
});
