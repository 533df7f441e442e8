import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTick } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ChainKey } from '../../../src/bridge/journal/chain/chain-key.ts';
import { genesis } from '../../../src/bridge/journal/chain/hash-chain.ts';
import { HeadFile, replaceHead } from '../../../src/bridge/journal/chain/head-file.ts';
import { lastMark } from '../../../src/bridge/journal/chain/marks.ts';
import { noOrigin } from '../../../src/bridge/journal/chain/origin.ts';
import { JournalWriteError } from '../../../src/bridge/journal/journal-error.ts';
import { migrate } from '../../../src/bridge/journal/store/migrations.ts';
import { Reserve } from '../../../src/bridge/journal/store/reserve.ts';
import { SqliteStore } from '../../../src/bridge/journal/store/sqlite-store.ts';
import { FakeStore, isPending, journalOn, sqliteError } from './fake-store.ts';
import { forget } from './forgetting.ts';
import { delta, queued } from './sample-events.ts';
import { tempDir } from './temp-dir.ts';

test('writes everything of one tick in one transaction', async () => {
  const { journal, store } = journalOn(new FakeStore());
  journal.append('a', [delta('1')]);
  journal.append('b', [delta('2'), delta('3')]);
  expect(store.writes).toEqual([]);
  await journal.durable(3);
  journal.append('a', [delta('4')]);
  await journal.durable(4);
  expect(store.writes).toEqual([[1, 2, 3], [4]]);
});

test('syncs a batch that holds anything but streamed text and status', async () => {
  const { journal, store } = journalOn(new FakeStore());
  const cheap = [
    delta('1'),
    { type: 'activity', tool_use: 'u1', tool: 'Bash', phase: 'started' } as const,
    { type: 'tool.progressed', call: 'c1', text: '1 of 2' } as const,
    { type: 'agent.status', status: {} } as const,
  ];
  journal.append('a', cheap);
  await journal.durable(4);
  journal.append('a', [...cheap, queued('control')]);
  await journal.durable(9);
  expect([store.writes, store.syncs]).toEqual([
    [
      [1, 2, 3, 4],
      [5, 6, 7, 8, 9],
    ],
    [9],
  ]);
});

test('an event that cannot be stored as JSON leaves no hole in the numbering', async () => {
  const { journal, store } = journalOn(new FakeStore());
  const broken = { type: 'agent.status', status: { n: 1n } } as const;
  expect(() => journal.append('a', [delta('1'), broken])).toThrow(TypeError);
  expect(journal.last).toBe(0);
  journal.append('a', [delta('1')]);
  await journal.durable(1);
  expect(store.last).toBe(1);
});

test('a full disk promises nothing, forgets nothing, and mends itself when there is room', async () => {
  const { clock, health, journal, store } = journalOn(new FakeStore());
  store.refuse = sqliteError(13);
  journal.append('a', [queued('1')]);
  const first = journal.durable(1);
  expect(await journal.kept(1)).toBe(false);
  journal.append('a', [queued('2'), delta('3')]);
  expect(await journal.kept(3)).toBe(false);
  expect(journal.health).toBe('full');
  clock.advance(1000);
  expect(await isPending(first)).toBe(true);
  store.refuse = undefined;
  clock.advance(1000);
  await Promise.all([first, journal.durable(3)]);
  expect(await journal.kept(3)).toBe(true);
  journal.append('a', [queued('4')]);
  await journal.durable(4);
  expect(store.writes).toEqual([[1, 2, 3], [4]]);
  expect(health).toEqual(['full', 'ok']);
  await nextTick();
  expect([journal.health, clock.timers]).toEqual(['ok', 0]);
});

test('what was put aside is durable, in order and once, and is written when there is room', async () => {
  const { clock, journal, store } = journalOn(new FakeStore());
  store.aside = [];
  store.refuse = sqliteError(13);
  journal.append('a', [queued('1')]);
  await journal.durable(1);
  journal.append('a', [delta('2')]);
  journal.append('a', [queued('3')]);
  await journal.durable(3);
  expect(store.aside.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect([...journal.read(0)].map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect(journal.health).toBe('full');
  store.aside = undefined;
  journal.append('a', [queued('4')]);
  expect([await journal.kept(3), await journal.kept(4)]).toEqual([true, false]);
  store.refuse = undefined;
  clock.advance(1000);
  await journal.durable(4);
  expect(store.writes).toEqual([[1, 2, 3, 4]]);
});

test('closing a journal whose rows were all put aside loses none, and says nothing', async () => {
  const { journal, store } = journalOn(new FakeStore());
  store.aside = [];
  store.refuse = sqliteError(13);
  journal.append('a', [queued('1')]);
  await journal.durable(1);
  await journal.close();
  expect(store.aside).toHaveLength(1);
});

test('a disk that stays full until memory would end is a disk that failed', async () => {
  const { health, journal, store } = journalOn(new FakeStore());
  store.refuse = sqliteError(13);
  journal.append('a', [queued('1')]);
  const first = journal.durable(1);
  expect(await journal.kept(1)).toBe(false);
  const text = 'x'.repeat(1024 * 1024);
  for (let n = 0; n < 70 && journal.health === 'full'; n += 1) journal.append('a', [queued(text)]);
  await expect(first).rejects.toMatchObject({ code: 'journal_write', retrying: false });
  expect(health).toEqual(['full', 'failed']);
});

test('readers still see the rows that wait for room on the disk', async () => {
  const { journal, store } = journalOn(new FakeStore());
  store.refuse = sqliteError(13);
  const rows = journal.append('a', [queued('1')]);
  expect(await journal.kept(1)).toBe(false);
  expect([...journal.read(0)]).toEqual(rows);
});

test.each([
  ['a failed sync', 1034],
  ['a failed write', 778],
  ['a damaged file', 11],
  ['a file that became read-only', 8],
])('%s is final: nothing is tried again', async (_what, errcode) => {
  const { clock, health, journal, store } = journalOn(new FakeStore());
  store.refuse = sqliteError(errcode);
  journal.append('a', [queued('1')]);
  await expect(journal.durable(1)).rejects.toMatchObject({ code: 'journal_write', retrying: false });
  store.refuse = undefined;
  clock.advance(60_000);
  // Readers are still told how what they read ends; nobody is promised anything.
  const [row] = journal.append('a', [queued('2')]);
  expect(row?.seq).toBe(2);
  for (const seq of [1, 2]) await expect(journal.durable(seq)).rejects.toThrow(JournalWriteError);
  await expect(journal.kept(2)).rejects.toThrow(JournalWriteError);
  expect(health).toEqual(['failed']);
  await expect(journal.close()).rejects.toThrow(JournalWriteError);
  expect(store.writes).toEqual([]);
  expect(store.closed).toBe(1);
});

test('closing writes what is pending, and says so when it cannot', async () => {
  const good = journalOn(new FakeStore());
  good.journal.append('a', [delta('1')]);
  const promise = good.journal.durable(1);
  await good.journal.close();
  await expect(promise).resolves.toBeUndefined();

  const bad = journalOn(new FakeStore());
  bad.journal.append('a', [delta('1')]);
  bad.store.refuse = sqliteError(13);
  await expect(bad.journal.close()).rejects.toThrow('full');
  expect(bad.store.closed).toBe(1);
  expect(bad.clock.timers).toBe(0);
});

/** A database that becomes full when its limit is reached. */
function limited(hasReserve: boolean) {
  const db = new DatabaseSync(':memory:');
  migrate(db, 0, () => undefined);
  const dir = tempDir();
  const headPath = `${dir}/head`;
  replaceHead(headPath, { version: 1, seq: 0, link: genesis });
  const key = new ChainKey(Buffer.alloc(32));
  const store = new SqliteStore({
    db,
    log: { isLong: false, sync: async () => {}, renew: async () => true, close: () => db.close() },
    head: new HeadFile(headPath),
    key,
    ...(hasReserve && { reserve: Reserve.open(`${dir}/reserve`, key).reserve }),
    end: { last: 0, link: genesis, seal: genesis, origin: noOrigin, mark: lastMark([]) },
  });
  return { db, ...journalOn(store) };
}

test('what tells of tombstones is never written without them, also when there is no room just then', async () => {
  const { db, clock, journal, store } = limited(true);
  const was = () => [...journal.read(0)].map(({ event }) => event.type);
  // Shorter than the tombstones that take their place.
  for (let n = 0; n < 300; n += 1) journal.append('a', [{ type: 'agent.starting' }]);
  await journal.durable(300);
  db.exec(`pragma max_page_count = ${Number(db.prepare('pragma page_count').get()?.page_count)}`);
  await expect(forget({ journal, store }, 'a')).rejects.toThrow('the disk is full');
  const stored = db.prepare("select count(*) as n from event where body like '%forgotten%'").get();
  expect([stored?.n, journal.health]).toEqual([0, 'full']);
  // Nor is it put aside, where a crash would find it alone.
  expect(await journal.kept(301)).toBe(false);
  db.exec('pragma max_page_count = 2000');
  clock.advance(1000);
  await journal.durable(301);
  expect(was()).toEqual([...Array.from({ length: 300 }, () => 'row.forgotten'), 'session.forgotten']);
  expect(store.past).toMatchObject([{ session: '"a"', upTo: 300 }]);
});

test('a database that reached its size limit keeps every committed row and goes on when the limit is raised', async () => {
  const { db, clock, journal, store } = limited(false);
  db.exec('pragma max_page_count = 20');
  let acknowledged = 0;
  for (;;) {
    const [row] = journal.append('a', [queued('x'.repeat(1000))]);
    if (!(await journal.kept(row?.seq ?? 0))) break;
    acknowledged = row?.seq ?? 0;
  }
  expect(acknowledged).toBeGreaterThan(10);
  expect(store.last).toBe(acknowledged);
  db.exec('pragma max_page_count = 2000');
  clock.advance(1000);
  await journal.durable(acknowledged + 1);
  expect([...journal.read(0)].map(({ seq }) => seq)).toEqual(
    Array.from({ length: acknowledged + 1 }, (_, index) => index + 1),
  );
});
