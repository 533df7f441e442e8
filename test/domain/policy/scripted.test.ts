// Programs that are given a script: which of their words it is, and what it does.
import { describe, expect, test } from 'vitest';
import type { Given } from '../../../src/domain/policy/programs/options.ts';
import { harmless } from '../../../src/domain/policy/programs/reach.ts';
import { awkReach, nodeReach, sedReach, sqliteReach } from '../../../src/domain/policy/programs/scripted.ts';

/** `"$x"`. */
const quoted: Given = { text: undefined, loose: false, splits: false };
const given = (...words: (string | Given)[]): Given[] =>
  words.map((word) =>
    typeof word === 'string' ? { text: word, loose: word.startsWith('-'), splits: false } : word,
  );
/** Words between single spaces. */
const line = (words: string) => given(...words.split(' '));
const known = (texts: number[], more = {}) => ({ ...harmless, texts: new Set(texts), ...more });

describe('sed', () => {
  test.for([
    ['sed p x', [1]],
    ['sed d x-i', [1]],
    ['sed -n p x', [2]],
    ['sed  d', [1]],
    ['sed -e p -e d x', [2, 4]],
    ['sed -ne p x', [2]],
    ['sed --expression=d x', [1]],
    ['sed --quiet --expression d x', [3]],
  ] as const)('reads its script: %s', ([words, texts]) =>
    expect(sedReach(line(words))).toEqual(known([...texts])),
  );

  test.for(['-i', '-ni', '-i.bak', '-Ei.x', '--in-place', '--in-place=.bak', '--in-place='])(
    'changes files with %s, which may take lines away',
    (option) => {
      expect(sedReach(line(`sed ${option} d x`))).toEqual(known([2], { removes: true }));
      expect(sedReach(line(`sed ${option} p x`))).toEqual(known([2]));
      expect(sedReach(line(`sed ${option} -e d x`))).toEqual(known([3], { removes: true }));
    },
  );

  test('may have an empty word behind that option', () => {
    expect(sedReach(line('sed -i  d x'))).toEqual(known([2, 3], { removes: true }));
    expect(sedReach(line('sed -i  e x'))).toBeUndefined();
  });

  test.for([
    'sed',
    'sed -n',
    'sed e x',
    'sed -e p -e e x',
    'sed -ie p x',
    'sed --in-placex p',
    'sed -f x',
    'sed -ti p',
  ])('may do anything: %s', (words) => expect(sedReach(line(words))).toBeUndefined());

  test('may do anything where its script is not told', () => {
    expect(sedReach(given('sed', quoted))).toBeUndefined();
    expect(sedReach(given('sed', '-e', quoted))).toBeUndefined();
    expect(sedReach(given('sed', 'p', quoted))).toEqual(known([1]));
  });
});

describe('awk', () => {
  test('reads its program', () => {
    expect(awkReach(line('awk {print} x'))).toEqual(known([1]));
    expect(awkReach(line('awk -F , -vx=1 {print} x'))).toEqual(known([4]));
    for (const words of ['awk', 'awk -F ,', 'awk -f x', 'awk {print|x}', 'awk -x {print}'])
      expect(awkReach(line(words))).toBeUndefined();
    expect(awkReach(given('awk', quoted))).toBeUndefined();
  });
});

describe('node', () => {
  const logged = 'console.log(process.version)';

  test('tells what stands in a file', () => {
    expect(nodeReach(line('node -p process.version'))).toEqual(known([2]));
    expect(nodeReach(line(`node -e ${logged}`))).toEqual(known([2]));
    expect(nodeReach(line(`node -e ${logged};`))).toEqual(known([2]));
    expect(nodeReach(line("node -p require('./a/b.json').c?.d"))).toEqual(
      known([2], { files: ['./a/b.json'] }),
    );
  });

  test('may do anything else', () => {
    for (const words of [
      `node -p ${logged}`,
      'node -e process',
      'node -x process',
      'node -p',
      'node',
      `node -r ${logged}`,
    ])
      expect(nodeReach(line(words))).toBeUndefined();
    expect(nodeReach(given('node', '-p', quoted))).toBeUndefined();
  });
});

describe('sqlite3', () => {
  const query = (...words: (string | Given)[]) => sqliteReach(given('sqlite3', ...words));

  test.for([
    ...[
      'select 1',
      'SELECT count(*) from x',
      ' select 1; ',
      'explain select 1',
      'pragma table_info',
      'pragma  table_info',
    ],
    ...[
      'select count (*) from x',
      'select max(x), min(y) from z',
      '.tables',
      '.schema x',
      '.indexes  xy',
      ' .tables ',
    ],
  ])('is asked: %s', (text) => expect(query('x.db', text)).toEqual(known([2])));

  test.for([
    ...[
      'delete from x',
      'x select 1',
      'selected',
      'select 1; select 2',
      'pragma x',
      'pragma_table_info',
      '.shell x',
    ],
    ...[
      'select f(1)',
      'select max(f(1))',
      'select f(max(1))',
      'select max(1), f(2)',
      `select f${' '.repeat(70)}(1)`,
    ],
    ...['x .tables', '.tables;x', '.tables x y', '.tables-x', '.schema -x', ''],
  ])('may be told anything: %s', (text) => expect(query('x.db', text)).toBeUndefined());

  test.for([
    ...[
      'select "f"(1)',
      'select f/**/(1)',
      'select f--max\n(1)',
      'select `f`(1)',
      'select [f](1)',
      "select 'f'(1)",
    ],
    ...[
      'select fmax(1)',
      'select maxf(1)',
      "select data from FSDIR where path='/x'",
      'select * from zipfile',
      'select émax(1)',
      'select $max(1)',
      `select ${'f'.repeat(70)}max(1)`,
    ],
  ])('may be told anything, however it is written: %s', (text) =>
    expect(query('x.db', text)).toBeUndefined(),
  );

  test.for(['select 1+(2)', 'select max((1), (2))', 'select\nmax(1)', `select max${' '.repeat(70)}(1)`])(
    'calls nothing else: %s',
    (text) => expect(query('x.db', text)).toEqual(known([2])),
  );

  test('has a file and one query', () => {
    expect(query('-readonly', 'x.db', 'select 1')).toEqual(known([3]));
    expect(query('select 1')).toBeUndefined();
    for (const words of [
      [],
      ['x.db'],
      ['x.db', quoted],
      ['x.db', 'select 1', 'y'],
      ['-x', 'x.db', 'select 1'],
    ])
      expect(query(...words)).toBeUndefined();
  });
});
