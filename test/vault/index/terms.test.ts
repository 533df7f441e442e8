import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indexed, matchOf } from '../../../src/vault/index/terms.ts';
import { runs } from '../../support/runs.ts';

test.each([
  ['the words that say something are asked for', 'how do I set a budget', '"set" OR "budget"'],
  [
    'a question of nothing but small words is asked as it is',
    'to be or not to be',
    '"to" OR "be" OR "or" OR "not"',
  ],
  ['an identifier is a phrase, and its parts', 'GATEWAY_TOKEN', '"gateway token" OR "gateway" OR "token"'],
  ['what stands in quotes is a phrase', '"rent of May" flat', '"rent of may" OR "flat"'],
  ['a quote that is not closed is none', 'say "hello', '"say" OR "hello"'],
  ['full-width letters are letters', 'ＡＢＣ', '"abc"'],
  ['a run without blanks is asked by its pairs', '東京都', '"東京" OR "京都"'],
  ['one such character is the beginning of a pair', '猫', '"猫"*'],
  ['both in one word are both', 'iPhoneを買う', '"を買" OR "買う" OR "iphone"'],
])('%s', (_, question, match) => {
  expect(matchOf(question)).toBe(match);
});

test.each(['', '   ', '?!', '"" - *', '()'])('there is nothing to look for in %j', (question) => {
  expect(matchOf(question)).toBeUndefined();
});

test('a question that never ends asks for a bounded number of words', () => {
  const long = Array.from({ length: 5_000 }, (_, at) => `word${at}`).join(' ');
  expect(matchOf(long)?.split(' OR ')).toHaveLength(32);
  expect(matchOf('字'.repeat(5_000))?.length).toBeLessThan(1_000);
  expect(matchOf('a'.repeat(50_000))?.length).toBeLessThan(200);
});

test('whatever is asked, SQLite understands it', () => {
  using db = new DatabaseSync(':memory:');
  db.exec("CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = 'porter unicode61')");
  const ask = db.prepare('SELECT count(*) AS n FROM words WHERE words MATCH ?');
  const piece = fc.constantFrom(
    '"',
    '*',
    '(',
    ')',
    ' OR ',
    ' NEAR(',
    '^',
    ':',
    '-',
    '+',
    '{',
    '日本',
    'ab',
    '\0',
    "'",
  );
  const question = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(piece).map((pieces) => pieces.join('')),
  );
  fc.assert(
    fc.property(question, (text) => {
      const match = matchOf(text);
      if (match !== undefined) expect(ask.get(match)).toEqual({ n: 0 });
    }),
    { numRuns: runs(500) },
  );
});

test('each character of a run without blanks begins a term', () => {
  expect(indexed('a日本語b').split(' ').filter(Boolean)).toEqual(['a', '日本', '本語', '語', 'b']);
});

/** What readers of ten similar programs miss: words of two characters, in the middle of a run, beside letters. */
test.each([
  ['今日は東京で会議があります', '会議'],
  ['今日は東京で会議があります', '東京'],
  ['我在北京学习中文', '中文'],
  ['我在北京学习中文', '北京学习'],
  ['猫が好きです', '猫'],
  ['비밀번호를 바꿨다', '비밀번호'],
  ['サーバーを再起動する', '再起動'],
  ['使用OpenClaw連接Telegram', 'telegram'],
  ['ﾃｽﾄ環境', 'テスト'],
])('in %s one finds %s', (text, question) => {
  using db = new DatabaseSync(':memory:');
  db.exec("CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = 'porter unicode61 remove_diacritics 2')");
  const put = db.prepare('INSERT INTO words VALUES (?)');
  put.run(indexed(text));
  put.run(indexed('something else 他の文'));
  const found = db.prepare('SELECT rowid FROM words WHERE words MATCH ?').all(matchOf(question) ?? '');
  expect(found).toEqual([{ rowid: 1 }]);
});
