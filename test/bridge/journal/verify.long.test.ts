// What `audit verify` proves: see docs/guides/audit.md.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { genesis, linkOf } from '../../../src/bridge/journal/chain/hash-chain.ts';
import { encodeHead } from '../../../src/bridge/journal/chain/head-file.ts';
import { openJournal } from '../../../src/bridge/journal/start/open-journal.ts';
import { runs } from '../../support/runs.ts';
import { queued } from './sample-events.ts';
import {
  anchor,
  changeHead,
  otherKey,
  relink,
  sealedJournal,
  tamper,
  theKey,
  verify,
  write,
} from './sealed-journal.ts';
import { tempDir } from './temp-dir.ts';

const commits = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 2, maxLength: 6 });

/** Each is one thing that somebody without the key can do to row `seq`; it says which rows the verdict may name. */
const rowChanges: Record<string, (db: DatabaseSync, seq: number) => void> = {
  at: (db, seq) => db.prepare('update event set at = at + 1 where seq = ?').run(seq),
  session: (db, seq) => db.prepare(`update event set session = '"other"' where seq = ?`).run(seq),
  body: (db, seq) =>
    db.prepare(`update event set body = replace(body, 'text', 'Text') where seq = ?`).run(seq),
  link: (db, seq) =>
    db.prepare(`update event set link = replace(link, substr(link, 1, 1), 'g') where seq = ?`).run(seq),
  gone: (db, seq) => db.prepare('delete from event where seq = ?').run(seq),
};

test('a journal that nobody touched is proven, whatever its commits', async () => {
  await fc.assert(
    fc.asyncProperty(commits, async (sizes) => {
      const dir = await sealedJournal(sizes);
      const rows = sizes.reduce((sum, size) => sum + size, 0);
      expect(await verify(dir, [anchor(dir)])).toMatchObject({
        outcome: 'proven',
        rows,
        fault: null,
        gaps: [],
      });
    }),
    { numRuns: runs(8) },
  );
});

test('any changed or missing row is found and named, when nothing was linked anew', async () => {
  await fc.assert(
    fc.asyncProperty(
      commits,
      fc.nat(),
      fc.constantFrom(...Object.keys(rowChanges)),
      async (sizes, pick, what) => {
        const dir = await sealedJournal(sizes);
        const rows = sizes.reduce((sum, size) => sum + size, 0);
        const seq = 1 + (pick % rows);
        tamper(dir, (db) => rowChanges[what]?.(db, seq));
        const verdict = await verify(dir);
        expect(verdict.outcome).toBe('failed');
        expect(verdict.fault?.seq).toBe(seq);
      },
    ),
    { numRuns: runs(25) },
  );
});

test('a row that was changed and everything linked anew is found, in the commit that it was written with', async () => {
  await fc.assert(
    fc.asyncProperty(
      commits,
      fc.nat(),
      fc.constantFrom('at', 'session', 'body'),
      fc.boolean(),
      async (sizes, pick, what, withHead) => {
        const dir = await sealedJournal(sizes);
        const rows = sizes.reduce((sum, size) => sum + size, 0);
        const seq = 1 + (pick % rows);
        let link = '';
        tamper(dir, (db) => {
          rowChanges[what]?.(db, seq);
          link = relink(db);
        });
        if (withHead) changeHead(dir, (head) => ({ ...head, link }));
        const { outcome, fault } = await verify(dir);
        expect(outcome).toBe('failed');
        let first = 1;
        for (const size of sizes) {
          if (first + size > seq) break;
          first += size;
        }
        expect(fault?.seq).toBe(first);
        expect(fault?.why).toContain('linked anew');
      },
    ),
    { numRuns: runs(12) },
  );
});

test('any changed or removed seal is found', async () => {
  await fc.assert(
    fc.asyncProperty(commits, fc.nat(), fc.boolean(), async (sizes, pick, gone) => {
      const dir = await sealedJournal(sizes);
      const sealed = sizes.map((_, n) => sizes.slice(0, n + 1).reduce((sum, size) => sum + size, 0));
      const seq = sealed[pick % sealed.length] ?? 1;
      const seal = gone ? 'null' : "replace(seal, substr(seal, 1, 1), 'g')";
      tamper(dir, (db) => db.exec(`update event set seal = ${seal} where seq = ${seq}`));
      expect((await verify(dir)).outcome).toBe('failed');
    }),
    { numRuns: runs(10) },
  );
});

test('a cut tail is found, also when head file and links were made to fit', async () => {
  await fc.assert(
    fc.asyncProperty(commits, fc.nat(), fc.boolean(), async (sizes, pick, withHead) => {
      const dir = await sealedJournal(sizes);
      const rows = sizes.reduce((sum, size) => sum + size, 0);
      const kept = pick % rows;
      let link = genesis;
      tamper(dir, (db) => {
        db.exec(`delete from event where seq > ${kept}`);
        link = String(db.prepare('select link from event where seq = ?').get(kept)?.link ?? genesis);
      });
      if (withHead) changeHead(dir, (head) => ({ ...head, seq: kept, link }));
      expect((await verify(dir)).outcome).toBe('failed');
    }),
    { numRuns: runs(10) },
  );
});

test.each([
  ['without a seal', undefined],
  ['with a made-up one', { marks: 0, seal: genesis }],
])(
  'a head file %s that claims nothing hides no cut tail, not even from the next start',
  async (_what, sealed) => {
    const dir = await sealedJournal([2, 3]);
    tamper(dir, (db) => db.exec('delete from event where seq > 2'));
    changeHead(dir, ({ version }) => ({ version, seq: 0, link: genesis, ...(sealed && { sealed }) }));
    expect((await verify(dir)).outcome).toBe('failed');
    await write(dir, [1]);
    expect((await verify(dir)).outcome).toBe('failed');
  },
);

test('a start that died between taking over a key and writing its head is no forgery', async () => {
  const dir = await sealedJournal([2, 3]);
  const head = readFileSync(join(dir, 'journal.head'));
  await write(dir, [], otherKey);
  writeFileSync(join(dir, 'journal.head'), head);
  await write(dir, [1], otherKey);
  const verdict = await verify(dir, [anchor(dir, otherKey)], otherKey);
  expect(verdict).toMatchObject({ outcome: 'proven', rows: 6 });
});

test.each([
  [
    'its seal',
    (db: DatabaseSync) => db.exec("update mark set seal = replace(seal, substr(seal, 1, 1), 'g')"),
  ],
  ['its time', (db: DatabaseSync) => db.exec('update mark set at = at + 1')],
  ['its place', (db: DatabaseSync) => db.exec('update mark set seq = 2')],
  ['its number', (db: DatabaseSync) => db.exec('update mark set n = 2')],
  ['its words', (db: DatabaseSync) => db.exec("update mark set detail = replace(detail, 'key', 'kei')")],
  ['all of it', (db: DatabaseSync) => db.exec('delete from mark')],
])('a mark that lost or changed %s is found', async (_what, change) => {
  const dir = await sealedJournal([2, 1]);
  tamper(dir, change);
  expect((await verify(dir)).outcome).toBe('failed');
});

test('a journal rewritten with the key itself is found by an anchor that was taken before, and only by it', async () => {
  const dir = await sealedJournal([2, 3]);
  const early = anchor(dir);
  await write(dir, [2]);
  let link = '';
  tamper(dir, (db) => {
    rowChanges.body?.(db, 2);
    link = relink(db, (previous, seq, sealed) => theKey.row(previous, seq, sealed));
    const text = db.prepare('select n, seq, at, detail from mark').get();
    const textOf = `${text?.n}\n${text?.seq}\n${genesis}\n${text?.at}\n${text?.detail}`;
    db.prepare('update mark set seal = ?').run(theKey.mark(genesis, textOf));
  });
  changeHead(dir, (head) => {
    const markSeal = theKey.mark(genesis, '');
    return { ...head, link, sealed: head.sealed ?? { marks: 1, seal: markSeal } };
  });
  tamper(dir, (db) => {
    const markSeal = String(db.prepare('select seal from mark').get()?.seal);
    changeHead(dir, (head) => ({
      ...head,
      sealed: { marks: 1, seal: theKey.head({ seq: head.seq, link, marks: 1, markSeal }) },
    }));
  });
  expect((await verify(dir)).outcome).toBe('proven');
  const verdict = await verify(dir, [early]);
  expect(verdict).toMatchObject({ outcome: 'failed', fault: { seq: 5 } });
  expect(verdict.fault?.why).toContain('rewritten');
});

test('an anchor finds that the whole folder was set back to an earlier day', async () => {
  const dir = await sealedJournal([2]);
  const late = anchor(await copyAndGrow(dir));
  expect((await verify(dir)).outcome).toBe('proven');
  expect(await verify(dir, [late])).toMatchObject({ outcome: 'failed', fault: { seq: 3 } });
});

async function copyAndGrow(dir: string): Promise<string> {
  const copy = tempDir();
  cpSync(dir, copy, { recursive: true });
  await write(copy, [3]);
  return copy;
}

test.each([
  ['another number', (line: string) => line.replace('seq=2', 'seq=1')],
  ['another time', (line: string) => line.replace('2026', '2025')],
  ['no seal', (line: string) => line.slice(0, -40)],
  ['other words', () => 'all is well'],
])('an anchor with %s is refused', async (_what, change) => {
  const dir = await sealedJournal([2]);
  const verdict = await verify(dir, [change(anchor(dir))]);
  expect(verdict).toMatchObject({ outcome: 'failed' });
});

test('a repair shows in the verdict, until an anchor that was taken after it answers for it', async () => {
  const dir = await sealedJournal([2, 3, 2]);
  tamper(dir, (db) => rowChanges.body?.(db, 6));
  const { recovered } = await write(dir, [1]);
  expect(recovered).toMatchObject({ kept: 5, lost: 2 });
  const verdict = await verify(dir);
  expect(verdict).toMatchObject({ outcome: 'partly', rows: 6, fault: null });
  expect(verdict.gaps).toMatchObject([{ kind: 'repaired', anchored: false }]);
  expect(verdict.gaps[0]?.words).toContain('2 rows after row 5 are gone');
  expect(verdict.gaps[0]?.words).toContain('journal.db.corrupt-');
  expect(await verify(dir, [anchor(dir)])).toMatchObject({ outcome: 'proven', gaps: [{ anchored: true }] });
});

test('a tail that was cut while no bridge ran is not forgotten by the next start', async () => {
  const dir = await sealedJournal([2, 3]);
  let link = '';
  tamper(dir, (db) => {
    db.exec('delete from event where seq > 2');
    link = String(db.prepare('select link from event where seq = 2').get()?.link);
  });
  changeHead(dir, (head) => ({ ...head, seq: 2, link }));
  const { doubt } = await write(dir, [4]);
  expect(doubt).toContain('cut or rewritten');
  expect(await verify(dir)).toMatchObject({ outcome: 'failed', fault: { seq: 2 } });
});

test('another key than before stops nothing: it is said, and the rows before it are named as unproven', async () => {
  const dir = await sealedJournal([2, 3]);
  expect(await verify(dir, [], otherKey)).toMatchObject({ outcome: 'failed' });
  const { doubt, recovered } = await write(dir, [2], otherKey);
  expect(recovered).toBeUndefined();
  expect(doubt).toContain('key of the audit is another one');
  const verdict = await verify(dir, [], otherKey);
  expect(verdict).toMatchObject({ outcome: 'partly', rows: 7 });
  expect(verdict.gaps).toMatchObject([{ kind: 'other_key', from: 1, to: 5 }]);
  tamper(dir, (db) => rowChanges.body?.(db, 3));
  expect(await verify(dir, [], otherKey)).toMatchObject({ outcome: 'failed', fault: { seq: 3 } });
});

/** As a release without a key left it. */
function oldJournal(rows: number): string {
  const dir = tempDir();
  const db = new DatabaseSync(join(dir, 'journal.db'));
  db.exec(`create table event (seq integer primary key, at integer not null, session text not null,
    body text not null, link text not null) strict; pragma user_version = 1`);
  let link = genesis;
  const insert = db.prepare('insert into event values (?, ?, ?, ?, ?)');
  for (let seq = 1; seq <= rows; seq += 1) {
    const row = { seq, at: 1000 + seq, session: '"a"', body: JSON.stringify(queued(`message ${seq}`)) };
    link = linkOf(link, row);
    insert.run(seq, row.at, row.session, row.body, link);
  }
  db.close();
  writeFileSync(join(dir, 'journal.head'), encodeHead({ version: 1, seq: rows, link }));
  return dir;
}

test('a journal of a release without a key is taken over whole; its rows are proven from the next anchor on', async () => {
  const dir = oldJournal(5);
  const { recovered, doubt } = await write(dir, [2]);
  expect({ recovered, doubt }).toEqual({ recovered: undefined, doubt: undefined });
  const verdict = await verify(dir);
  expect(verdict).toMatchObject({ outcome: 'partly', rows: 7, gaps: [{ kind: 'unkeyed', from: 1, to: 5 }] });
  expect((await verify(dir, [anchor(dir)])).outcome).toBe('proven');
  const again = openJournal({ dir, key: theKey });
  expect([...again.journal.read(0)]).toHaveLength(7);
  await again.journal.close();
  tamper(dir, (db) => {
    db.exec(`update event set body = replace(body, 'message 2', 'message 9') where seq = 2`);
    relink(db);
  });
  expect((await verify(dir)).outcome).toBe('failed');
});

test('a running bridge proves its own journal, also while it grows', async () => {
  const { journal, chain } = openJournal({ dir: tempDir(), key: theKey });
  for (let n = 0; n < 600; n += 1) journal.append('a', [queued(`message ${n}`)]);
  await journal.durable(600);
  const line = chain.anchor(0);
  const verifying = chain.verify([line]);
  journal.append('a', [queued('meanwhile')]);
  await journal.durable(601);
  expect(await verifying).toMatchObject({ outcome: 'proven', rows: 600, anchors: [{ seq: 600 }] });
  await journal.close();
});

test('a missing head file is found', async () => {
  const dir = await sealedJournal([2]);
  rmSync(join(dir, 'journal.head'));
  expect((await verify(dir)).fault?.why).toBe('the head file is missing');
});
