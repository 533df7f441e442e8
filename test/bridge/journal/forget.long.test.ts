// A conversation that is forgotten leaves tombstones: the chain goes on over them, and nobody without the key can make
// one.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SegmentWriter } from '../../../src/bridge/journal/archive/segment-writer.ts';
import { readTombstone } from '../../../src/bridge/journal/chain/tombstone.ts';
import { StoppedJournal } from '../../../src/bridge/journal/read/stopped-journal.ts';
import { type OpenedJournal, openJournal } from '../../../src/bridge/journal/start/open-journal.ts';
import type { AuditVerdict } from '../../../src/domain/views/audit/audit.ts';
import type { JournalRow } from '../../../src/protocol/events/events.ts';
import { runs } from '../../support/runs.ts';
import { clean, forget } from './forgetting.ts';
import { delta } from './sample-events.ts';
import { otherKey, tamper, theKey } from './sealed-journal.ts';
import { tempDir } from './temp-dir.ts';

function say(opened: OpenedJournal, session: string, text: string): void {
  opened.journal.append(session, [delta(`${session} says ${text}`)]);
}

/** What a compaction does, with a snapshot that restores nothing. */
async function archive(opened: OpenedJournal): Promise<void> {
  const { journal, store, archive: dir } = opened;
  const origin = await journal.between(() => {
    const { last: seq, link, seal } = store.end;
    const compacted = { type: 'bridge.compacted', origin: seq, codes: [], claudes: {}, panic: null } as const;
    journal.append('', [{ ...compacted, codes: [] }]);
    return { seq, link, seal, snapshot: journal.last };
  });
  const { seq, link, seal } = store.end.origin;
  const writer = SegmentWriter.begin(dir, { first: seq + 1, link, seal });
  writer.add(store.rawPage(seq, origin.seq - seq));
  await writer.finish();
  await journal.between(() => store.swap(origin));
}

async function rowsIn(dir: string): Promise<JournalRow[]> {
  const rows: JournalRow[] = [];
  for await (const row of StoppedJournal.at(dir)?.events() ?? []) rows.push(row);
  return rows;
}

/** Every byte of every file, also of those that SQLite reuses. */
function bytesIn(dir: string): string {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((name) => join(dir, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path).toString('latin1'))
    .join('\n');
}

const deed = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ what: fc.constant('say' as const), who: fc.nat(3), size: fc.nat(9000) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constant('forget' as const), who: fc.nat(3), size: fc.nat(1) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constant('archive' as const), who: fc.nat(3), size: fc.nat(1) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ what: fc.constant('restart' as const), who: fc.nat(3), size: fc.nat(1) }),
  },
);

test('whatever is forgotten is gone from every file, all else is as it was, and the chain is proven', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { maxLength: 40, size: 'max' }), async (deeds) => {
      const dir = tempDir();
      let opened = openJournal({ dir, key: theKey });
      const left = new Map<number, string>();
      const gone: string[] = [];
      for (const [n, { what, who, size }] of deeds.entries()) {
        const session = `session-${who}`;
        if (what === 'say') {
          const text = `marker-${n}. ${'x'.repeat(size)}`;
          say(opened, session, text);
          left.set(opened.journal.last, `${session} says ${text}`);
        }
        if (what === 'forget') {
          await forget(opened, session);
          for (const [seq, text] of left)
            if (text.startsWith(session)) {
              left.delete(seq);
              gone.push(text.slice(0, text.indexOf('.')));
            }
        }
        if (what === 'archive' && opened.journal.last > opened.journal.origin) await archive(opened);
        if (what !== 'restart') continue;
        await opened.journal.close();
        opened = openJournal({ dir, key: theKey });
        expect([opened.recovered, opened.doubt]).toEqual([undefined, undefined]);
      }
      await clean(opened);
      await opened.journal.durable(opened.journal.last);
      expect(await opened.chain.verify([opened.chain.anchor(0)])).toMatchObject({
        outcome: 'proven',
        rows: opened.journal.last,
        forgotten: gone.length,
        fault: null,
      });
      const bytes = bytesIn(dir);
      expect(gone.filter((text) => bytes.includes(`${text}.`))).toEqual([]);
      await opened.journal.close();
      const rows = await rowsIn(dir);
      const texts = rows.flatMap(({ seq, event }) =>
        event.type === 'answer.delta' ? [[seq, event.text] as const] : [],
      );
      expect(new Map(texts)).toEqual(left);
      expect(rows.filter(({ event }) => event.type === 'row.forgotten')).toHaveLength(gone.length);
    }),
    { numRuns: runs(15) },
  );
}, 60_000);

/** Ten rows of two sessions, of which one was forgotten: rows 2, 4, 6, 8 and 10; row 11 tells of it. */
async function tombstones(key = theKey): Promise<string> {
  const dir = tempDir();
  const opened = openJournal({ dir, key });
  for (let n = 1; n <= 10; n += 1) {
    say(opened, n % 2 ? 'stays' : 'goes', `text ${n}`);
    await opened.journal.durable(n);
  }
  await forget(opened, 'goes');
  await clean(opened);
  await opened.journal.close();
  return dir;
}

async function verify(dir: string, key = theKey, anchors: string[] = []): Promise<AuditVerdict> {
  const journal = StoppedJournal.at(dir);
  if (!journal) throw new Error('there is a journal');
  return journal.verify(key, anchors);
}

test('rows that were forgotten count as such, and name what stood there', async () => {
  const dir = await tombstones();
  expect(await verify(dir)).toMatchObject({ outcome: 'proven', rows: 11, forgotten: 5 });
  const forgotten = (await rowsIn(dir)).filter(({ event }) => event.type === 'row.forgotten');
  expect(forgotten.map(({ seq, session }) => [seq, session])).toEqual(
    [2, 4, 6, 8, 10].map((seq) => [seq, '']),
  );
  expect(forgotten[0]?.event).toMatchObject({ was: 'answer.delta' });
});

const change = (dir: string, seq: number, column: 'body' | 'at' | 'session', to: (value: string) => string) =>
  tamper(dir, (db) => {
    const was = String(db.prepare(`select ${column} as value from event where seq = ?`).get(seq)?.value);
    const value = column === 'at' ? Number(to(was)) : to(was);
    db.prepare(`update event set ${column} = ? where seq = ?`).run(value, seq);
  });

const other = (digit: string) => (digit === '0' ? '1' : '0');

test.each<[string, 'body' | 'at' | 'session', (value: string) => string]>([
  ['another type', 'body', (body) => body.replace('answer.delta', 'answer.delt_')],
  ['another digit of the proof', 'body', (body) => body.replace(/.(?="\}$)/, other)],
  ['another digit of the link', 'body', (body) => body.replace(/(?<="link":")./, other)],
  ['another time', 'at', (at) => String(Number(at) + 1)],
  ['a session', 'session', () => '"goes"'],
  ['one character more', 'body', (body) => `${body} `],
])('a tombstone with %s is found', async (_, column, to) => {
  const dir = await tombstones();
  change(dir, 4, column, to);
  expect(await verify(dir)).toMatchObject({ outcome: 'failed', fault: { seq: 4 } });
});

test('a row that somebody without the key deleted cannot be passed off as forgotten', async () => {
  const dir = await tombstones();
  tamper(dir, (db) => {
    const genuine = String(db.prepare('select body from event where seq = 4').get()?.body);
    const link = String(db.prepare('select link from event where seq = 5').get()?.link);
    const body = genuine.replace(/(?<="link":")\w+/, link);
    expect(readTombstone({ session: '""', body })).toMatchObject({ link });
    db.prepare(`update event set session = '""', body = ? where seq = 5`).run(body);
  });
  expect(await verify(dir)).toMatchObject({
    outcome: 'failed',
    fault: { seq: 5, why: expect.stringContaining('does not carry the proof of the key') },
  });
});

test('with another key since, what was forgotten before is not proven, not even by an anchor', async () => {
  const dir = await tombstones(otherKey);
  const opened = openJournal({ dir, key: theKey });
  say(opened, 'stays', 'with the new key');
  await opened.journal.durable(opened.journal.last);
  const anchor = opened.chain.anchor(0);
  const verdict = await opened.chain.verify([anchor]);
  expect(verdict).toMatchObject({ outcome: 'partly', forgotten: 5, fault: null });
  expect(verdict.gaps.at(-1)).toMatchObject({ kind: 'other_key', from: 2, to: 10, anchored: false });
  // What is forgotten with the key at hand is proven, also where the row was sealed with the one before.
  await forget(opened, 'stays');
  await clean(opened);
  const later = await opened.chain.verify([]);
  expect(later).toMatchObject({ outcome: 'partly', forgotten: 11, fault: null });
  expect(later.gaps.at(-1)?.words).toContain('5 of the rows 2 to 10');
  await opened.journal.close();
});

test('a start takes a tombstone whose link was changed for the damage that it is', async () => {
  const dir = await tombstones();
  change(dir, 4, 'body', (body) => body.replace(/(?<="link":")./, other));
  const { recovered, journal } = openJournal({ dir, key: theKey });
  expect(recovered).toMatchObject({ kept: 3, why: 'row 4 does not match its hash' });
  await journal.close();
});

test('a journal that is repaired keeps its tombstones, and what the archive is still to be cleaned of', async () => {
  const dir = tempDir();
  const opened = openJournal({ dir, key: theKey });
  for (let n = 1; n <= 10; n += 1) say(opened, n % 2 ? 'stays' : 'goes', `text ${n}`);
  await archive(opened);
  say(opened, 'goes', 'again');
  say(opened, 'stays', 'again');
  await forget(opened, 'goes');
  const { past } = opened.store;
  expect(past).toEqual([{ session: '"goes"', removed: 13, upTo: 13 }]);
  await opened.journal.close();
  tamper(dir, (db) => db.exec('update event set body = body || 1 where seq = 14'));
  const next = openJournal({ dir, key: theKey });
  expect(next.recovered).toMatchObject({ kept: 13, lost: 1 });
  expect(next.store.past).toEqual(past);
  await clean(next);
  await next.journal.close();
  expect((await rowsIn(dir)).filter(({ event }) => event.type === 'row.forgotten')).toHaveLength(6);
});
