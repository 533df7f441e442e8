import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { MemoryJournal } from '../../../src/bridge/journal/memory-journal.ts';
import {
  type TailItem,
  type TailOptions,
  type TailSource,
  tail,
} from '../../../src/bridge/journal/read/tail.ts';
import { openJournal } from '../../../src/bridge/journal/start/open-journal.ts';
import { runs } from '../../support/runs.ts';
import { until } from '../../support/until.ts';
import { delta, queued } from './sample-events.ts';
import { tempDir } from './temp-dir.ts';

const label = (item: TailItem) => (item.kind === 'row' ? item.row.seq : `${item.from}-${item.to}`);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Reads in the background; `pause` makes the reader slow: it waits for it before each further item. */
function follow(
  journal: TailSource,
  options: Omit<TailOptions, 'signal'>,
  pause: () => Promise<void> = async () => {},
) {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const seen: (number | string)[] = [];
  const done = (async () => {
    for await (const item of tail(journal, { ...options, signal: stop.signal })) {
      seen.push(label(item));
      await pause();
    }
  })();
  return { seen, done, stop };
}

/** A gate that lets the reader pass only while open. */
function gate() {
  let opened = Promise.withResolvers<void>();
  opened.resolve();
  return {
    pass: () => opened.promise,
    close: () => {
      opened = Promise.withResolvers<void>();
    },
    open: () => opened.resolve(),
  };
}

test('gives what was stored and then what comes', async () => {
  const journal = new MemoryJournal();
  journal.append('a', [delta('1'), delta('2'), delta('3')]);
  const reader = follow(journal, { after: 1 });
  await until('history', () => reader.seen.length === 2);
  journal.append('a', [delta('4')]);
  await until('live', () => reader.seen.length === 3);
  expect(reader.seen).toEqual([2, 3, 4]);
});

test('ends when it is aborted, asleep or not, and leaves no subscription behind', async () => {
  const journal = new MemoryJournal();
  let subscriptions = 0;
  const counted: TailSource = {
    origin: 0,
    read: (after, limit) => journal.read(after, limit),
    subscribe: (listener) => {
      subscriptions += 1;
      const unsubscribe = journal.subscribe(listener);
      return () => {
        subscriptions -= 1;
        unsubscribe();
      };
    },
  };
  const asleep = follow(counted, { after: 0 });
  await until('a subscription', () => subscriptions === 1);
  asleep.stop.abort();
  await asleep.done;
  const before = follow(counted, { after: 0 });
  before.stop.abort();
  await before.done;
  expect(subscriptions).toBe(0);
});

test('leaving the loop ends the subscription', async () => {
  const journal = new MemoryJournal();
  journal.append('a', [delta('1'), delta('2')]);
  for await (const item of tail(journal, { after: 0, signal: new AbortController().signal })) {
    expect(label(item)).toBe(1);
    break;
  }
});

test('gives only the rows of its session that pass the filter', async () => {
  const journal = new MemoryJournal();
  const reader = follow(journal, {
    after: 0,
    session: 'a',
    filter: ({ event }) => event.type === 'turn.queued',
  });
  journal.append('a', [delta('1'), queued('2')]);
  await until('row 2', () => reader.seen.length === 1);
  journal.append('b', [queued('3')]);
  journal.append('a', [delta('4'), queued('5')]);
  await until('row 5', () => reader.seen.length === 2);
  expect(reader.seen).toEqual([2, 5]);
});

test('a slow reader goes back to the stored rows and loses none', async () => {
  const journal = new MemoryJournal();
  const slow = gate();
  const reader = follow(journal, { after: 0, buffer: 4 }, slow.pass);
  journal.append('a', [delta('1')]);
  await until('row 1', () => reader.seen.length === 1);
  slow.close();
  journal.append('a', [delta('2')]);
  for (const seq of range(3, 50)) journal.append('a', [delta(String(seq))]);
  slow.open();
  await until('all rows', () => reader.seen.length === 50);
  expect(reader.seen).toEqual(range(1, 50));
});

test('a slow reader that wants the present gets the newest rows and is told which ones it missed', async () => {
  const journal = new MemoryJournal();
  const slow = gate();
  const reader = follow(journal, { after: 0, buffer: 4, slow: 'skip' }, slow.pass);
  journal.append('a', [delta('1')]);
  await until('row 1', () => reader.seen.length === 1);
  // The live part begins after history ended; row 2 is live for certain.
  journal.append('a', [delta('2')]);
  await until('row 2', () => reader.seen.length === 2);
  slow.close();
  journal.append('a', [delta('3')]);
  await until('row 3', () => reader.seen.length === 3);
  for (const seq of range(4, 50)) journal.append('a', [delta(String(seq))]);
  slow.open();
  await until('the newest rows', () => reader.seen.at(-1) === 50);
  expect(reader.seen).toEqual([1, 2, 3, '4-46', 47, 48, 49, 50]);
});

const kinds = {
  memory: () => new MemoryJournal(),
  sqlite: () => openJournal({ dir: tempDir() }).journal,
};

test.each(Object.entries(kinds))(
  'from any cursor, while the %s journal grows, each row comes exactly once and in order',
  async (_name, open) => {
    const journal = open();
    onTestFinished(() => journal.close());
    const plan = fc.array(
      fc.record({ rows: fc.integer({ min: 1, max: 9 }), breathe: fc.constantFrom('no', 'micro', 'tick') }),
      { minLength: 1, maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(
        plan,
        fc.nat(),
        fc.integer({ min: 1, max: 8 }),
        fc.nat(3),
        async (steps, where, buffer, drag) => {
          const after = where % (journal.last + 1);
          const pause = async () => {
            for (let n = 0; n < drag; n += 1) await new Promise((resolve) => setImmediate(resolve));
          };
          const reader = follow(journal, { after: Math.max(after, journal.last - 300), buffer }, pause);
          const start = Math.max(after, journal.last - 300);
          for (const { rows, breathe } of steps) {
            journal.append(
              'a',
              range(1, rows).map((n) => delta(String(n))),
            );
            if (breathe === 'micro') await Promise.resolve();
            if (breathe === 'tick') await new Promise((resolve) => setImmediate(resolve));
          }
          await until('the last row', () => reader.seen.length >= journal.last - start);
          reader.stop.abort();
          await reader.done;
          expect(reader.seen).toEqual(range(start + 1, journal.last));
        },
      ),
      { numRuns: runs(30) },
    );
  },
);
