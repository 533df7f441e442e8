import { describe, expect, test } from 'vitest';
import { argumentCheck } from '../../../src/bridge/tools/schema/arguments.ts';
import { argumentBounds, tooDeepOrLarge } from '../../../src/bridge/tools/schema/bounds.ts';
import { checkSchema } from '../../../src/bridge/tools/schema/tool-schema.ts';
import { runs } from '../../support/runs.ts';
import { seeded } from '../../support/seeded.ts';
import { cpuMs } from './cpu.ts';
import { nested } from './nested.ts';

const checkOf = (schema: object) => {
  const read = checkSchema(schema);
  if (!read.ok) throw new Error(read.words);
  return argumentCheck(read.schema);
};

const check = checkOf({
  type: 'object',
  properties: {
    name: { type: 'string', pattern: '^[a-z]{1,20}$' },
    count: { type: 'integer', minimum: 0, maximum: 10 },
    mode: { enum: ['fast', 'slow'] },
    when: { type: 'string', format: 'date-time' },
    mail: { type: 'string', pattern: String.raw`^\S+@\S+\.\S+$` },
    tags: { type: 'array', items: { type: 'string' }, uniqueItems: true },
    inner: { type: 'object', properties: { a: { type: 'boolean' } }, required: ['a'] },
    any: {},
  },
  required: ['name'],
  additionalProperties: false,
});
const good: Readonly<Record<string, unknown>> = {
  name: 'abc',
  count: 3,
  mode: 'fast',
  when: '2026-01-01T00:00:00Z',
  mail: 'a@b.c',
  tags: ['a', 'ü', '\ud800'],
  inner: { a: true },
  any: [null, 1.5, { b: [] }],
};

/** What is wrong wherever it stands, and for which field it is right nevertheless. */
const values: readonly (readonly [unknown, string])[] = [
  [5, 'count'],
  [-1, ''],
  [1.5, ''],
  [1e300, ''],
  [Number.NaN, 'none'],
  [Number.POSITIVE_INFINITY, 'none'],
  [undefined, 'none'],
  [10n, 'none'],
  [Symbol('a'), 'none'],
  [() => 1, 'none'],
  [true, ''],
  [null, ''],
  ['', ''],
  ['Fast', ''],
  ['\ud800', ''],
  ['a\u202eb', ''],
  ['2026-13-45T99:00:00Z', ''],
  [['a', 'a'], ''],
  [[1], ''],
  [{}, ''],
  [{ a: 'yes' }, ''],
  [nested(20_000), 'none'],
  ['a'.repeat(600_000), 'none'],
  [JSON.parse('{"a":true,"__proto__":{"b":1}}'), 'none'],
  [JSON.parse('{"a":true,"constructor":1}'), 'none'],
  [Array.from({ length: 120_000 }, (_, at) => at), 'none'],
  [Array.from({ length: 90_000 }, (_, at) => ({ a: at })).slice(0, 45_000), ''],
  ['@'.repeat(400_000), ''],
];
const fields = Object.keys(good).filter((name) => name !== 'any');

function malformed(random: () => number): unknown {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const kind = random();
  if (kind < 0.08) return pick([undefined, null, 5, 'text', [], [good], true]);
  if (kind < 0.14) return { ...good, [pick(['x', '\ud800', '\u202e', '', 'a/b~c%'])]: 1 };
  if (kind < 0.2) return Object.fromEntries(Object.entries(good).filter(([name]) => name !== 'name'));
  const field = pick(fields);
  const [value] = pick(values.filter(([, right]) => right !== field));
  return { ...good, [field]: value };
}

test('what is no JSON is refused where the schema takes anything', () => {
  expect(check({ ...good, any: Number.NaN })).toBe('/any: NaN is no JSON value');
  expect(check({ ...good, any: [undefined] })).toBe('/any/0: undefined is no JSON value');
});

test('what fits is accepted', () => {
  expect(check(good)).toBeUndefined();
  expect(check({ name: 'a' })).toBeUndefined();
});

test('300 malformed arguments are refused in words, in no time', () => {
  const random = seeded(7);
  for (let run = 0; run < runs(300); run += 1) {
    const args = malformed(random);
    let words: string | undefined;
    const ms = cpuMs(() => {
      words = check(args);
    });
    expect(words).toMatch(/\S/);
    expect(words?.length).toBeLessThan(1_200);
    expect(words).toBe(words?.toWellFormed());
    expect(words).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(ms).toBeLessThan(150);
  }
});

test.each(
  fields.flatMap((field) =>
    values.filter(([, right]) => right !== field).map(([value], at) => [field, at, value] as const),
  ),
)('%s, value %i, is refused', (field, _, value) => expect(check({ ...good, [field]: value })).toMatch(/\S/));

describe('words', () => {
  test('the first faults are said with their places', () => {
    const words = check({ name: 5, count: 99, mode: 'x', inner: {}, when: 'then' });
    expect(words).toContain('/name: type "number" is invalid. Expected "string"');
    expect(words).toContain('/count: ');
    expect(words).toContain('; and more');
    expect(words?.split('; ')).toHaveLength(4);
  });

  test('a place is readable', () =>
    expect(check({ ...good, inner: { a: 1 } })).toBe(
      '/inner/a: type "number" is invalid. Expected "boolean"',
    ));

  test('foreign text is shown as it is, and cut', () => {
    const words = check({ ...good, [`\u202e${'x'.repeat(5_000)}`]: 1 });
    expect(words).toContain('⟦U+202E⟧');
    expect(words?.length).toBeLessThan(700);
  });
});

describe('drafts', () => {
  const dependencies = {
    type: 'object',
    dependencies: { a: ['b'] },
    properties: { c: { items: [{ type: 'string' }] } },
  };
  test('draft-07', () => {
    const old = checkOf({ $schema: 'http://json-schema.org/draft-07/schema#', ...dependencies });
    expect(old({ a: 1 })).toMatch(/\S/);
    expect(old({ c: [5] })).toMatch(/\S/);
  });
  test('2020-12 is what is meant where nothing is said', () => {
    const prefix = checkOf({ type: 'object', properties: { c: { prefixItems: [{ type: 'string' }] } } });
    expect(prefix({ c: [5] })).toMatch(/\S/);
  });
});

describe('a check ends, whatever the schema asks for', () => {
  const spots = Array.from({ length: 30_000 }, (_, at) => ({ at }));
  test.each([
    ['uniqueItems', { properties: { a: { uniqueItems: true } } }, { a: spots }],
    [
      'a cubic pattern',
      { properties: { a: { pattern: String.raw`\S+@\S+\.\S+$` } } },
      { a: `${'@.'.repeat(100_000)} ` },
    ],
    [
      'schemas that double',
      {
        $ref: '#/$defs/d0',
        $defs: Object.fromEntries(
          Array.from({ length: 40 }, (_, at) => [
            `d${at}`,
            at === 39
              ? { required: ['b'] }
              : { anyOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
          ]),
        ),
      },
      {},
    ],
  ])('%s', (_, schema, args) => {
    const one = checkOf({ type: 'object', ...schema });
    let words: string | undefined;
    expect(
      cpuMs(() => {
        words = one(args);
      }),
    ).toBeLessThan(200);
    expect(words).toBe('they cannot be checked in the time that a check may take');
  });

  // What is checked without a limit, as long as that is certain to end: these are the slowest of their size.
  const wide = (schema: object) => Array.from({ length: 400 }, () => schema);
  const many = Array.from({ length: 20_000 }, (_, at) => ({ at: [at] }));
  test.each([
    ['anyOf', { anyOf: wide({ properties: { a: { items: { type: 'string' } } } }) }],
    ['oneOf', { oneOf: wide({ properties: { a: { contains: { const: { at: 'x' } } } } }) }],
    ['allOf', { allOf: wide({ unevaluatedProperties: { items: { required: ['b'] } } }) }],
    [
      'enum',
      { properties: { a: { items: { enum: Array.from({ length: 1_500 }, (_, at) => ({ at: { at } })) } } } },
    ],
    [
      'not',
      { not: { not: { not: { allOf: wide({ additionalProperties: { items: { minProperties: 2 } } }) } } } },
    ],
  ])('%s, within a few times its limit for each size', (_, schema) => {
    const one = checkOf({ type: 'object', ...schema });
    for (const size of [10, 100, 1_000, 20_000]) {
      const spent = cpuMs(() => void one({ a: many.slice(0, size) }));
      expect(spent, `${size} values`).toBeLessThan(150);
    }
  });

  test('a hundred thousand faults are a few words', () => {
    const all = checkOf({ type: 'object', properties: { a: { items: { type: 'string' } } } });
    expect(all({ a: Array.from({ length: 99_000 }, (_, at) => at) })?.length).toBeLessThan(400);
  });
});

test('bounds are looked at in no time', () => {
  const wide = Array.from({ length: 1_000_000 }, () => 1);
  expect(cpuMs(() => tooDeepOrLarge(wide, argumentBounds))).toBeLessThan(100);
  const deep = nested(1_000_000);
  expect(cpuMs(() => tooDeepOrLarge(deep, argumentBounds))).toBeLessThan(100);
});
