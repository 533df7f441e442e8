// Rows that are walked over as texts are the same rows as column by column.
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { genesis, linkOver } from '../../../src/bridge/journal/chain/hash-chain.ts';
import { type Place, takeRow, takeText, textPages } from '../../../src/bridge/journal/start/chained-texts.ts';
import { RowQuery } from '../../../src/bridge/journal/store/row-query.ts';

type Column = string | bigint | number | Uint8Array | null;

/** Numbers are stored as fractions, bigints as whole numbers. A table without types, as a damaged file may be one. The link is that of the text, whatever stands in the columns. */
function steps(at: Column, session: Column, body: Column, link?: Column) {
  using db = new DatabaseSync(':memory:');
  db.exec('create table event (seq integer primary key, at, session, body, link, seal)');
  const own = link ?? linkOver(genesis, `1\n${at}\n${session}\n${body}`);
  db.prepare('insert into event values (1, ?, ?, ?, ?, ?)').run(at, session, body, own, 'seal');
  const [[text] = []] = textPages(db, 0);
  const [stored] = RowQuery.ofAll(db, 'order by seq').stored();
  if (!text || !stored) throw new Error('no row');
  const taken = (take: (place: Place) => string | undefined) => {
    const place = { kept: 0, link: genesis, seal: genesis };
    return { why: take(place), place };
  };
  return {
    isText: typeof text[3] === 'string',
    byText: taken((place) => takeText(db, place, text)),
    byColumn: taken((place) => takeRow(place, stored)),
    own,
  };
}

test.each([
  ['plain', 17n, '"notes"', '{"type":"turn.parted"}', true],
  ['with every kind of character', 17n, '"\\ud800 ü \u{1f600}"', '{"text":"\u0000 \u2028 \ud7ff"}', true],
  ['empty', 0n, '', '', true],
  ['a time that is a text', '17', '"notes"', '{}', false],
  ['a time that is no whole number', 17.5, '"notes"', '{}', true],
  ['bytes in place of a text', 17n, '"notes"', new Uint8Array([123, 125]), false],
  ['nothing in place of a text', 17n, null, '{}', false],
  ['a tombstone that is linked like a row', 17n, '"-"', '{"type":"row.forgotten","was":"x"}', true],
  [
    'a tombstone with a wrong link',
    17n,
    '""',
    `{"type":"row.forgotten","was":"x","link":"${'1'.repeat(32)}","proof":"${'2'.repeat(32)}"}`,
    undefined,
  ],
])('a row, %s', (_, at, session, body, ok) => {
  const { isText, byText, byColumn, own } = steps(at, session, body);
  expect(isText).toBe(
    typeof at === 'bigint' && typeof body === 'string' && session !== null && !body.includes('row.forgotten'),
  );
  if (ok !== undefined) expect(byColumn.why === undefined).toBe(ok);
  if (ok) expect(byColumn.place).toEqual({ kept: 1, link: own, seal: 'seal' });
  expect(byText).toEqual(byColumn);
});

test('a row with another link is refused in the same words', () => {
  const { byText, byColumn } = steps(17n, '"notes"', '{}', '0'.repeat(32));
  expect(byText).toEqual({
    why: 'row 1 does not match its hash',
    place: { kept: 0, link: genesis, seal: genesis },
  });
  expect(byText).toEqual(byColumn);
});
