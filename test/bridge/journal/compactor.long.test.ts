// Rows go to the archive, a snapshot takes their place, and whatever happens in between costs nothing.
import { cpSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { archivedSegments } from '../../../src/bridge/journal/archive/archived-rows.ts';
import { listSegments } from '../../../src/bridge/journal/archive/segments.ts';
import { linkOf, type UnlinkedRow } from '../../../src/bridge/journal/chain/hash-chain.ts';
import { fileKey } from '../../../src/bridge/journal/chain/key-source.ts';
import { StoppedJournal } from '../../../src/bridge/journal/read/stopped-journal.ts';
import { until } from '../../support/until.ts';
import { compactedOnce, compactor, fill, say, withBetween } from './compacted.ts';
import { openUntilEnd } from './open-until-end.ts';
import { swap } from './swap.ts';
import { tempDir } from './temp-dir.ts';

const turnsOf = async (dir: string): Promise<string[]> => {
  const turns: string[] = [];
  for await (const { event } of StoppedJournal.at(dir)?.events() ?? [])
    if (event.type === 'turn.running') turns.push(event.turn);
  return turns;
};

test('too many rows are archived and swapped, once; all of it verifies and is read in order', async () => {
  const dir = tempDir();
  const all = await compactedOnce(dir);
  expect(listSegments(all.archive)).toMatchObject([{ first: 1, last: 1_203 }]);
  expect(all.journal.last).toBe(1_225);
  expect(await all.chain.verify([])).toMatchObject({ outcome: 'proven', rows: 1_225, fault: null });
  await all.journal.close();
  expect(StoppedJournal.at(dir)?.stats()).toMatchObject({
    rows: 22,
    first: 1_204,
    archive: { segments: 1, first: 1, rows: 1_203 },
  });
  const turns = await turnsOf(dir);
  expect([turns.length, turns[0], turns[1_202], turns[1_203], turns.at(-1)]).toEqual([
    1_224,
    'turn 1',
    'turn 1203',
    'snapshot',
    'turn 1225',
  ]);
});

test.each([
  ['less than is ever used again keeps its size', 64 * 1024, false],
  ['more than is ever used again is as long as what is in it', 8 * 1024, true],
])('a file in which the archive leaves %s', async (_, bytes, shrinks) => {
  const dir = tempDir();
  const all = openUntilEnd(dir);
  await fill(all, 1_203);
  const length = () => statSync(join(dir, 'journal.db')).size;
  // Rows are in the log first.
  await all.journal.between(() => all.store.scrub());
  await fill(all, 1);
  await until('the copy', () => length() > 100 * 1024);
  const before = length();
  const clock = compactor(all, { most: { rows: 1_000, bytes } });
  await until('the next look', () => all.journal.origin === 1_204 && clock.timers > 0);
  await fill(all, 1);
  if (shrinks) await until('the end of what is free', () => length() < before / 4);
  else expect([length() >= before, all.store.free > before / 2]).toEqual([true, true]);
  expect(await all.chain.verify([])).toMatchObject({ outcome: 'proven', rows: all.journal.last });
});

test('while Claude is at work rows are only copied, until there are twice too many', async () => {
  const all = openUntilEnd(tempDir());
  await fill(all, 1_100);
  let quiet = false;
  const clock = compactor(all, { isQuiet: () => quiet });
  await until('the first look', () => readdirSync(all.archive).some((name) => name.endsWith('.part')));
  await until('a wait', () => clock.timers > 0);
  clock.advance(60_000);
  expect(all.journal.origin).toBe(0);
  await fill(all, 1_000);
  clock.advance(1_000);
  await until('the swap', () => all.journal.origin === 2_100);
  quiet = true;
});

test('a bridge that is killed before the swap has all rows, and its segment joins nothing', async () => {
  const dir = tempDir();
  const all = openUntilEnd(dir);
  const { journal } = all;
  await fill(all, 1_100);
  let steps = 0;
  compactor(all, {
    journal: withBetween(all, (work) => {
      steps += 1;
      return steps === 1 ? journal.between(work) : Promise.reject(new Error('killed'));
    }),
  });
  await until('the swap', () => steps === 2);
  expect([journal.origin, listSegments(all.archive)[0]?.last]).toEqual([0, 1_100]);
  await fill(all, 10);
  await journal.close();

  const next = openUntilEnd(dir);
  expect([next.recovered, next.journal.last]).toEqual([undefined, 1_112]);
  compactor(next);
  await until('the swap', () => next.journal.origin === 1_112);
  expect(archivedSegments(next.archive, { seq: 1_112 })).toMatchObject([{ first: 1, last: 1_112 }]);
  expect(await next.chain.verify([])).toMatchObject({ outcome: 'proven', rows: 1_114 });
});

test('one segment follows the other, and a verification begins with the oldest that is kept', async () => {
  const dir = tempDir();
  const all = await compactedOnce(dir);
  await fill(all, 1_200);
  compactor(all);
  await until('the second swap', () => all.journal.origin > 1_203);
  const segments = listSegments(all.archive);
  expect(segments).toMatchObject([{ last: 1_203 }, { first: 1_204, last: all.journal.origin }]);
  expect(await all.chain.verify([])).toMatchObject({ outcome: 'proven', rows: all.journal.last });
  rmSync(segments[0]?.path ?? '');
  expect(await all.chain.verify([])).toMatchObject({
    outcome: 'proven',
    rows: all.journal.last,
    gaps: [
      {
        kind: 'removed',
        from: 1,
        to: 1_203,
        words: 'rows 1 to 1203 were archived and are not kept any more',
      },
    ],
  });
});

test('the archive of a journal that was here before is no part of a new one, and mends nothing in it', async () => {
  const dir = tempDir();
  await (await compactedOnce(dir)).journal.close();
  for (const name of readdirSync(dir)) if (name.startsWith('journal.')) rmSync(join(dir, name));
  const all = openUntilEnd(dir);
  await fill(all, 1_300);
  compactor(all);
  await until('the swap', () => all.journal.origin === 1_300);
  expect(await all.chain.verify([])).toMatchObject({ outcome: 'proven', rows: 1_302 });
  await all.journal.close();
  expect(StoppedJournal.at(dir)?.stats().archive).toMatchObject({ segments: 1, rows: 1_300 });
  expect(await turnsOf(dir)).toHaveLength(1_301);
  expect(listSegments(all.archive)).toHaveLength(2);

  const damaged = tempDir();
  cpSync(dir, damaged, { recursive: true });
  for (const name of readdirSync(damaged)) if (name.startsWith('journal.')) rmSync(join(damaged, name));
  const fresh = openUntilEnd(damaged);
  await fill(fresh, 5);
  await fresh.journal.close();
  const db = new DatabaseSync(join(damaged, 'journal.db'));
  db.exec("update event set body = '{}' where seq = 4");
  db.close();
  const next = openUntilEnd(damaged);
  expect([next.recovered?.kept, next.recovered?.lost, next.journal.last]).toEqual([3, 2, 3]);
});

test('rows that were cut off are not passed off as archived', async () => {
  const dir = tempDir();
  const all = openUntilEnd(dir);
  await fill(all, 20);
  await swap(all, [{ session: 's', events: [say('no word of an origin')] }]);
  expect(await all.chain.verify([])).toMatchObject({
    outcome: 'failed',
    fault: { seq: 20, why: 'rows 1 to 20 are missing, and were never put into an archive' },
  });
  // Whoever links rows anew needs no key, and may write anything.
  await all.journal.close();
  const db = new DatabaseSync(join(dir, 'journal.db'));
  const { link } = db.prepare('select link from origin').get() as { link: string };
  const [row] = db.prepare('select seq, at, session, body from event').all() as unknown as UnlinkedRow[];
  const forged = linkOf(link, { ...row, body: 'no JSON' } as UnlinkedRow);
  db.prepare("update event set body = 'no JSON', link = ?").run(forged);
  db.close();
  const verdict = await StoppedJournal.at(dir)?.verify(fileKey(dir), []);
  expect(verdict?.fault).toMatchObject({ seq: 20 });
});

test('a snapshot or an origin that is damaged is mended from the archive, and no row is lost', async () => {
  const dir = tempDir();
  await (await compactedOnce(dir)).journal.close();
  // What was done, and the last row that is left of the 1,225.
  for (const [damage, last] of [
    ['update origin set seq = 7', 1_225],
    ['delete from origin', 1_225],
    ["update event set body = '{}' where seq = 1205", 1_204],
    ['delete from event where seq = 1204', 1_203],
  ] as const) {
    const copy = tempDir();
    cpSync(dir, copy, { recursive: true });
    const db = new DatabaseSync(join(copy, 'journal.db'));
    db.exec(damage);
    db.close();
    const next = openUntilEnd(copy);
    expect([damage, next.recovered?.lost, next.journal.origin]).toEqual([damage, 1_225 - last, 0]);
    expect([...next.journal.read(0, 1)]).toMatchObject([{ seq: 1 }]);
    expect(next.journal.last).toBe(last);
    await next.journal.close();
    expect((await turnsOf(copy)).slice(0, 1_203)).toHaveLength(1_203);
  }
});
