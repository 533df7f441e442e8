// Older rows give way to a snapshot, and the chain goes on.
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { tail } from '../../../src/bridge/journal/read/tail.ts';
import type { OpenedJournal } from '../../../src/bridge/journal/start/open-journal.ts';
import type { JournalRow, SessionEvent } from '../../../src/protocol/events/events.ts';
import { openUntilEnd } from './open-until-end.ts';
import { swap } from './swap.ts';
import { tempDir } from './temp-dir.ts';

const say = (turn: string): SessionEvent => ({ type: 'turn.running', turn });
const seqs = (rows: Iterable<JournalRow>) => [...rows].map(({ seq }) => seq);

/** 10 rows, of which a snapshot of 3 took the place. */
async function swapped(dir: string): Promise<OpenedJournal> {
  const all = openUntilEnd(dir);
  for (let n = 1; n <= 10; n += 1) all.journal.append('s', [say(`t${n}`)]);
  await swap(all, [
    { session: '', events: [{ type: 'bridge.compacted', origin: 10, codes: [], claudes: {}, panic: null }] },
    { session: 'b', events: [say('two'), say('three')] },
  ]);
  return all;
}

test('seq goes on behind the snapshot, also after a restart, and what was before is no longer read', async () => {
  const dir = tempDir();
  const { journal } = await swapped(dir);
  expect([journal.origin, journal.last]).toEqual([10, 13]);
  journal.append('s', [say('after')]);
  await journal.durable(14);
  expect(seqs(journal.read(0))).toEqual([11, 12, 13, 14]);
  expect(seqs(journal.read(12))).toEqual([13, 14]);
  expect(seqs(journal.read(0, 9, 'b'))).toEqual([12, 13]);
  await journal.close();

  const next = openUntilEnd(dir);
  expect(next.recovered).toBeUndefined();
  expect(next.doubt).toBeUndefined();
  expect([next.journal.origin, seqs(next.journal.read(0))]).toEqual([10, [11, 12, 13, 14]]);
  next.journal.append('s', [say('again')]);
  await next.journal.durable(15);
  expect(await next.chain.verify([])).toMatchObject({ outcome: 'proven', rows: 15, fault: null });
});

test('every listener hears of the snapshot, and a reader from before gets a gap', async () => {
  const dir = tempDir();
  const all = openUntilEnd(dir);
  const heard: number[] = [];
  all.journal.subscribe(({ seq }) => heard.push(seq));
  all.journal.append('s', [say('1'), say('2')]);
  const stop = new AbortController();
  const reader = tail(all.journal, { after: 0, signal: stop.signal });
  expect(await reader.next()).toMatchObject({ value: { kind: 'row', row: { seq: 1 } } });
  await swap(all, [{ session: 's', events: [say('x')] }]);
  expect(heard).toEqual([1, 2, 3]);
  const late = tail(all.journal, { after: 0, signal: stop.signal });
  expect((await late.next()).value).toEqual({ kind: 'gap', from: 1, to: 2 });
  expect((await late.next()).value).toMatchObject({ kind: 'row', row: { seq: 3 } });
  stop.abort();
  await Promise.all([late.return(), reader.return()]);
});

test('what comes between the snapshot and the swap stays behind the snapshot', async () => {
  const dir = tempDir();
  const all = openUntilEnd(dir);
  const { journal, store } = all;
  journal.append('s', [say('1'), say('2')]);
  const origin = await journal.between(() => {
    journal.append('s', [say('snapshot')]);
    return { seq: 2, link: store.end.link, seal: store.end.seal, snapshot: 3 };
  });
  journal.append('s', [say('4')]);
  const swapped = journal.between(() => store.swap(origin));
  journal.append('s', [say('5')]);
  await swapped;
  expect([journal.origin, seqs(journal.read(0))]).toEqual([2, [3, 4, 5]]);
  await journal.close();
  const next = openUntilEnd(dir);
  expect([next.recovered, next.journal.origin, seqs(next.journal.read(0))]).toEqual([
    undefined,
    2,
    [3, 4, 5],
  ]);
});

test.each([
  ['seq', 'seq = seq - 1'],
  ['link', "link = replace(link, substr(link, 1, 1), 'g')"],
  ['seal', "seal = '0'"],
  ['snapshot', 'snapshot = 0'],
])('an origin whose %s was changed is damage', async (_what, change) => {
  const dir = tempDir();
  await (await swapped(dir)).journal.close();
  const db = new DatabaseSync(`${dir}/journal.db`);
  db.exec(`update origin set ${change}`);
  db.close();
  expect(openUntilEnd(dir).recovered?.why).toBe('the origin of the journal is damaged');
});

test('a head from before the swap, as a kill or a power cut leaves it, is no damage', async () => {
  const { cpSync } = await import('node:fs');
  for (const when of ['right before', 'long before']) {
    const dir = tempDir();
    const all = openUntilEnd(dir);
    all.journal.append('s', [say('1')]);
    await all.journal.durable(1);
    if (when === 'long before') cpSync(`${dir}/journal.head`, `${dir}/kept`);
    all.journal.append('s', [say('2')]);
    await all.journal.durable(2);
    if (when === 'right before') cpSync(`${dir}/journal.head`, `${dir}/kept`);
    await swap(all, [{ session: 's', events: [say('x')] }]);
    await all.journal.close();
    cpSync(`${dir}/kept`, `${dir}/journal.head`);
    const next = openUntilEnd(dir);
    expect([when, next.recovered, next.doubt, seqs(next.journal.read(0))]).toEqual([
      when,
      undefined,
      undefined,
      [3],
    ]);
  }
});
