// A snapshot among the rows: a start begins to fold there, and everything before it stays what it was.
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { fileKey } from '../../../src/bridge/journal/chain/key-source.ts';
import { writeOrigin } from '../../../src/bridge/journal/chain/origin.ts';
import { StoppedJournal } from '../../../src/bridge/journal/read/stopped-journal.ts';
import type { OpenedJournal } from '../../../src/bridge/journal/start/open-journal.ts';
import type { SessionEvent } from '../../../src/protocol/events/events.ts';
import { until } from '../../support/until.ts';
import { compacted, compactor, fill, say, withBetween } from './compacted.ts';
import { openUntilEnd } from './open-until-end.ts';
import { tempDir } from './temp-dir.ts';

const many = { rows: 1_000_000, bytes: 1024 * 1024 * 1024 };

const snapshots = ({ journal }: OpenedJournal): number[] =>
  [...journal.read(0)].filter(({ event }) => event.type === 'bridge.compacted').map(({ seq }) => seq);

/** What the next start begins with. */
async function baseAfter(all: OpenedJournal, dir: string): Promise<number> {
  await all.journal.close();
  const next = openUntilEnd(dir);
  expect([next.recovered, next.doubt]).toEqual([undefined, undefined]);
  await next.journal.close();
  return next.base;
}

test('there is one for 2,000 rows, in a quiet moment, and a start begins with the newest', async () => {
  const dir = tempDir();
  const all = openUntilEnd(dir);
  await fill(all, 1_999);
  let quiet = false;
  const clock = compactor(all, { most: many, isQuiet: () => quiet });
  await fill(all, 1);
  clock.advance(30_000);
  clock.advance(1_000);
  expect([snapshots(all), clock.timers]).toEqual([[], 1]);
  quiet = true;
  clock.advance(1_000);
  await until('a snapshot', () => snapshots(all).length === 1 && clock.timers === 1);
  expect(all.journal.last).toBe(2_002);
  await fill(all, 1_998);
  clock.advance(30_000);
  await until('another', () => snapshots(all).length === 2 && clock.timers === 1);
  expect(snapshots(all)).toEqual([2_001, 4_001]);
  await fill(all, 5);
  expect(await all.chain.verify([])).toMatchObject({ outcome: 'proven', rows: 4_007, fault: null });
  expect(await baseAfter(all, dir)).toBe(4_000);
  const next = openUntilEnd(dir);
  expect([[...next.journal.read(0)].length, [...next.journal.read(next.base)].length]).toEqual([4_007, 7]);
});

test('one that would be half as long as the rows before it waits until there are twice as many', async () => {
  const all = openUntilEnd(tempDir());
  await fill(all, 2_000);
  const text = 'x'.repeat(all.store.bytes / 2);
  const clock = compactor(all, {
    most: many,
    snapshot: (origin) => [
      { session: '', events: [compacted(origin, 1)] },
      { session: 's', events: [say(text)] },
    ],
  });
  await until('a look', () => clock.timers === 1);
  await fill(all, 1_999);
  clock.advance(30_000);
  expect([snapshots(all), clock.timers]).toEqual([[], 1]);
  await fill(all, 1);
  clock.advance(30_000);
  await until('a snapshot', () => snapshots(all).length === 1);
  expect(snapshots(all)).toEqual([4_001]);
});

test('a start begins with none that is there in part, or does not say how long it is', async () => {
  const dir = tempDir();
  const all = openUntilEnd(dir);
  const { journal } = all;
  const put = (session: string, ...events: SessionEvent[]) => journal.append(session, events);
  await fill(all, 10);
  put('', compacted(0));
  put('s1', say('of an older release'));
  expect(await baseAfter(all, dir)).toBe(0);

  const second = openUntilEnd(dir);
  second.journal.append('', [compacted(0, 2)]);
  second.journal.append('s1', [say('one')]);
  second.journal.append('s2', [say('two')]);
  second.journal.append('', [{ type: 'bridge.resumed', by: 'somebody' }]);
  second.journal.append('s', [say('after')]);
  second.journal.append('', [compacted(0, 2)]);
  second.journal.append('s1', [say('the other one found no room')]);
  expect(await baseAfter(second, dir)).toBe(12);
});

test('there is none on a disk that is nearly full: what has to be written comes first', async () => {
  const all = openUntilEnd(tempDir());
  await fill(all, 2_000);
  let room = many.bytes - 1;
  const clock = compactor(all, { most: many, room: () => room });
  clock.advance(30_000);
  expect([snapshots(all), clock.timers]).toEqual([[], 1]);
  room += 1;
  clock.advance(30_000);
  await until('a snapshot', () => snapshots(all).length === 1);
});

test('a disk that refuses it is asked again later', async () => {
  const all = openUntilEnd(tempDir());
  await fill(all, 2_000);
  let refused = 0;
  const warned: string[] = [];
  const clock = compactor(all, {
    most: many,
    log: { ...silentLog, warn: (words) => warned.push(words) },
    journal: withBetween(all, (work) => {
      refused += 1;
      return refused === 1 ? Promise.reject(new Error('no room')) : all.journal.between(work);
    }),
  });
  await until('a refusal', () => clock.timers === 1);
  expect(warned).toEqual(['the journal got no snapshot, and the next start takes longer']);
  clock.advance(10 * 60_000);
  await until('a snapshot', () => snapshots(all).length === 1);
});

test('rows that were cut off in front of it are not passed off as archived', async () => {
  const dir = tempDir();
  const all = openUntilEnd(dir);
  await fill(all, 2_000);
  compactor(all, { most: many });
  await until('a snapshot', () => snapshots(all).length === 1);
  await all.journal.close();
  const db = new DatabaseSync(`${dir}/journal.db`);
  const { link, seal } = db.prepare('select link, seal from event where seq = 2000').get() as Record<
    'link' | 'seal',
    string
  >;
  db.exec('delete from event where seq <= 2000');
  writeOrigin(db, { seq: 2_000, link, seal, snapshot: 2_002 });
  db.close();
  expect(await StoppedJournal.at(dir)?.verify(fileKey(dir), [])).toMatchObject({
    outcome: 'failed',
    fault: { seq: 2_000, why: 'rows 1 to 2000 are missing, and were never put into an archive' },
  });
});
