// The disk takes its time, and nobody waits who need not.
import { setImmediate as nextTick } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { JournalWriteError } from '../../../src/bridge/journal/journal-error.ts';
import { SqliteJournal } from '../../../src/bridge/journal/sqlite-journal.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { FakeStore, isPending, journalOn, sqliteError } from './fake-store.ts';
import { delta, queued } from './sample-events.ts';

test('nothing is durable before its sync; what comes meanwhile is read at once, and goes to the disk together', async () => {
  const { journal, store } = journalOn(new FakeStore());
  const slow = Promise.withResolvers<void>();
  store.disk = slow.promise;
  journal.append('a', [queued('1')]);
  const first = journal.durable(1);
  expect(await isPending(first)).toBe(true);
  journal.append('a', [queued('2')]);
  await nextTick();
  journal.append('b', [delta('3')]);
  const third = journal.durable(3);
  expect([...journal.read(0)].map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect([await isPending(first), await isPending(third), store.writes]).toEqual([true, true, [[1]]]);
  slow.resolve();
  await Promise.all([first, third]);
  expect([store.writes, store.syncs]).toEqual([
    [[1], [2, 3]],
    [1, 3],
  ]);
});

test('a sync that fails is final, for who waits for it and for all behind it', async () => {
  const { health, journal, store } = journalOn(new FakeStore());
  const failing = Promise.withResolvers<void>();
  store.disk = failing.promise;
  journal.append('a', [queued('1')]);
  const first = journal.durable(1);
  const refused = expect(first).rejects.toMatchObject({ code: 'journal_write', retrying: false });
  expect(await isPending(first)).toBe(true);
  journal.append('a', [queued('2')]);
  const work = journal.between(() => 'nothing');
  const kept = expect(journal.kept(2)).rejects.toThrow(JournalWriteError);
  failing.reject(Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }));
  await Promise.all([refused, kept, expect(work).rejects.toThrow(JournalWriteError)]);
  expect([health, store.writes, store.tidied]).toEqual([['failed'], [[1]], 0]);
  await expect(journal.close()).rejects.toThrow(JournalWriteError);
  expect([store.writes, store.closed]).toEqual([[[1]], 1]);
});

test('closing waits for the disk, and brings it what came last', async () => {
  const { clock, journal, store } = journalOn(new FakeStore());
  const slow = Promise.withResolvers<void>();
  store.disk = slow.promise;
  journal.append('a', [queued('1')]);
  expect(await isPending(journal.durable(1))).toBe(true);
  journal.append('a', [queued('2')]);
  const second = journal.durable(2);
  const closed = journal.close();
  const late = journal.between(() => 'late');
  const refused = expect(late).rejects.toThrow('the journal is closed');
  expect([await isPending(closed), store.closed]).toEqual([true, 0]);
  slow.resolve();
  await Promise.all([closed, second, refused]);
  expect([store.writes, store.syncs, store.closed, clock.timers]).toEqual([[[1], [2]], [1, 2], 1, 0]);
});

test('a disk that is slow is said to be, once for each thing that takes so long', async () => {
  const warnings: string[] = [];
  const store = new FakeStore();
  const clock = new ManualClock();
  const log = { ...silentLog, warn: (message: string) => warnings.push(message) };
  const journal = new SqliteJournal({ store, clock, log });
  const slow = Promise.withResolvers<void>();
  store.disk = slow.promise;
  journal.append('a', [queued('1')]);
  const first = journal.durable(1);
  expect(await isPending(first)).toBe(true);
  clock.advance(4_999);
  expect(warnings).toEqual([]);
  clock.advance(60_000);
  slow.resolve();
  await first;
  await journal.close();
  expect(warnings).toEqual(['the disk is slow: whatever has to be on it first waits']);
});

test('work between two transactions finds every row in the database, and is durable when it is told', async () => {
  const { journal, store } = journalOn(new FakeStore());
  const slow = Promise.withResolvers<void>();
  store.disk = slow.promise;
  journal.append('a', [queued('1')]);
  await nextTick();
  journal.append('a', [delta('2')]);
  const work = journal.between(() => {
    expect(store.last).toBe(2);
    journal.append('a', [delta('3')]);
    return journal.last;
  });
  expect([await isPending(work.then(() => {})), store.writes]).toEqual([true, [[1]]]);
  slow.resolve();
  expect(await work).toBe(3);
  expect([store.writes, store.syncs]).toEqual([
    [[1], [2], [3]],
    [1, 3],
  ]);
});

test('work that throws costs no row, and says why', async () => {
  const { journal, store } = journalOn(new FakeStore());
  journal.append('a', [queued('1')]);
  const work = journal.between(() => {
    throw new Error('no');
  });
  await Promise.all([expect(work).rejects.toThrow('no'), journal.durable(1)]);
  expect(store.syncs).toEqual([1]);
  store.refuse = sqliteError(13);
  journal.append('a', [queued('2')]);
  await expect(journal.between(() => 'never')).rejects.toThrow('the disk is full');
  expect(await journal.kept(2)).toBe(false);
});

test('a log that is long is begun anew behind a sync, also when there is only streamed text', async () => {
  const { journal, store } = journalOn(new FakeStore());
  store.isDue = true;
  journal.append('a', [delta('1')]);
  await journal.durable(1);
  expect(store.syncs).toEqual([1]);
  await journal.between(() => {});
  expect(store.tidied).toBe(1);
});
