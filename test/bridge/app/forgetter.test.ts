// A removed conversation is said to be forgotten when no crash brings it back, and not before.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { Forgetter } from '../../../src/bridge/app/forgetting/forgetter.ts';
import { JournalWriteError } from '../../../src/bridge/journal/journal-error.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const isPending = (promise: Promise<void>): Promise<boolean> =>
  Promise.race([promise.then(() => false), nextTurn().then(() => true)]);

/** A removed session on a disk that says so much of each step, and has stored all when `stored` resolves. */
function onDisk(says: ('before' | 'after' | 'ok')[], stored: Promise<void>) {
  const clock = new ManualClock();
  const steps: string[] = [];
  let isStored = Promise.resolve();
  const forgetter = new Forgetter({
    dispatcher: {
      session: () => undefined,
      isWatched: () => false,
      drop: () => steps.push('dropped'),
      stored: () => isStored,
    },
    claudeIds: { all: () => ({}) },
    journal: {
      between: async (work) => {
        const next = says.shift();
        if (next === 'before') throw JournalWriteError.full('no room');
        work();
        if (next !== 'after') return;
        isStored = stored;
        throw JournalWriteError.full('no room');
      },
      read: () => [],
    },
    clock,
    log: silentLog,
    deleteFiles: () => steps.push('files'),
    bury: () => steps.push('buried'),
    buried: async () => void steps.push('free'),
  });
  const removed = { type: 'session.removed', forget: true } as const;
  forgetter.observe({ seq: 9, at: 1, session: 's', event: removed });
  return { clock, forgetter, steps, forgotten: forgetter.forgotten('s') };
}

test('what found no room is said to be forgotten when it has found it', async () => {
  const room = Promise.withResolvers<void>();
  const { forgotten, steps } = onDisk(['after'], room.promise);
  expect([await isPending(forgotten), steps]).toEqual([true, ['files', 'buried', 'dropped']]);
  room.resolve();
  await forgotten;
  expect(steps).toEqual(['files', 'buried', 'dropped', 'free']);
});

test('what was refused before it began is tried again, once', async () => {
  const { clock, forgotten, forgetter, steps } = onDisk(['before', 'ok'], Promise.resolve());
  expect([await isPending(forgotten), steps, forgetter.due.length]).toEqual([true, [], 1]);
  clock.advance(5_000);
  await forgotten;
  expect([steps, forgetter.due, clock.timers]).toEqual([['files', 'buried', 'dropped', 'free'], [], 0]);
});

test('a disk that fails makes nothing forgotten', async () => {
  const failed = Promise.reject(JournalWriteError.failed('EIO'));
  failed.catch(() => {});
  const { forgotten, steps } = onDisk(['after'], failed);
  expect([await isPending(forgotten), steps]).toEqual([true, ['files', 'buried', 'dropped']]);
});
