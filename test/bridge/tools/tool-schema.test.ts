import { describe, expect, test } from 'vitest';
import { slowPattern } from '../../../src/bridge/tools/schema/slow-pattern.ts';
import { checkSchema } from '../../../src/bridge/tools/schema/tool-schema.ts';
import { cpuMs } from './cpu.ts';
import { nested } from './nested.ts';

const wordsOf = (schema: unknown): string => {
  const read = checkSchema(schema);
  return read.ok ? '' : read.words;
};
const withA = (a: unknown, more: object = {}) => ({ type: 'object', properties: { a }, ...more });

describe('patterns', () => {
  test('a reference back to a group is named', () =>
    expect(slowPattern(String.raw`(a+)\1`)).toContain('refers back to a group'));

  test.each([
    '^(a+)+$',
    '(a|a)*b',
    '(a|aa)+$',
    '(.*)*x',
    '([a-z]+)*$',
    String.raw`\s*\s*\s*\s*\s*x`,
    '(x+x+)+y',
    String.raw`^(\w+\s?)*$`,
    '(a*){1,50}b',
    '^(.*,){11}P',
    String.raw`\d*\w*x`,
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '(?=(a+)+)b',
    String.raw`(a+)\1+b`,
    '(?:a|a?)+$',
    '[a-z]*[a-y]*q',
    '.*.*',
    '(a?b?)*c',
    '((a{1,9}){1,9}){1,9}$',
    String.raw`(?:\w|\d)+x`,
    `${'(a|b|ab)'.repeat(200)}+`,
    '('.repeat(20_000) + ')'.repeat(20_000),
  ])('%s can take for ever', (pattern) => expect(slowPattern(pattern)).toContain('for ever'));

  test.each([
    '',
    '^[a-z0-9-]{1,32}$',
    String.raw`^\d{4}-\d{2}-\d{2}$`,
    String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$`,
    '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
    '^https?://',
    String.raw`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?$`,
    '^[^/]+(/[^/]+)*$',
    String.raw`^\S+@\S+\.\S+$`,
    String.raw`^[\p{L}\p{N} ]+$`,
    '(foo|far)+',
    String.raw`^\S(.*\S)?$`,
    String.raw`^(?!.*\.\.)[\w./-]+$`,
    '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
    String.raw`^(?<y>\d{4})-(?:0[1-9]|1[0-2])$`,
  ])('%s may be used', (pattern) => expect(slowPattern(pattern)).toBeUndefined());
});

test.each([
  ['no object', 5, 'inputSchema is no object'],
  ['a list', [], 'inputSchema is no object'],
  ['another type', { type: 'string' }, "inputSchema.type is not 'object'"],
  ['depth', nested(20_000, 'not'), 'levels deep'],
  ['nodes', withA({ enum: Array.from({ length: 6_000 }, (_, at) => at) }), 'more than 5000 values'],
  ['size', withA({ description: 'a'.repeat(70_000) }), 'more than 65536 characters'],
  ['own __proto__', JSON.parse('{"type":"object","__proto__":{"a":1}}'), 'the key __proto__'],
  [
    'a reference to elsewhere',
    withA({ $ref: 'https://example.com/a' }),
    '.properties.a.$ref leads to another',
  ],
  ['a reference to nowhere', withA({ $ref: '#/$defs/b' }), '.properties.a.$ref leads nowhere'],
  ['a dynamic reference', withA({ $dynamicRef: '#a' }), '.properties.a.$dynamicRef is not supported'],
  ['a loop', { type: 'object', $ref: '#' }, 'refers to itself without end'],
  [
    'a loop of two',
    withA(
      { $ref: '#/$defs/b' },
      { $defs: { b: { allOf: [{ $ref: '#/$defs/c' }] }, c: { anyOf: [{ $ref: '#/$defs/b' }] } } },
    ),
    'refers to itself without end',
  ],
  ['a slow pattern', withA({ pattern: '^(a+)+$' }), 'inputSchema.properties.a.pattern can take for ever: '],
  ['a broken pattern', withA({ pattern: '(' }), 'inputSchema.properties.a.pattern is no regular expression'],
  [
    'a pattern that is a list',
    withA({ pattern: ['^(a+)+$'] }),
    'inputSchema.properties.a.pattern is no text',
  ],
  [
    'a slow key',
    withA({ patternProperties: { '(a|a)*b': {} } }),
    'a.patternProperties "(a|a)*b" can take for ever',
  ],
  ['an unknown type', withA({ type: 'text' }), 'properties.a.type is no type'],
  ['a list that is none', withA({ anyOf: {} }), 'properties.a.anyOf is no list'],
  ['names that are none', withA({}, { required: [5] }), 'inputSchema.required is no list of names'],
  ['an object that is none', withA({ properties: 5 }), 'properties.a.properties is no object'],
  ['a schema of another shape', { type: 'object', $id: 'http://[' }, 'inputSchema is no JSON Schema'],
])('a schema is refused for %s', (_, schema, words) => expect(wordsOf(schema)).toContain(words));

test('a schema that comes back to itself over a step into the value is no loop', () => {
  const tree = { type: 'object', properties: { left: { $ref: '#' }, right: { items: { $ref: '#' } } } };
  expect(wordsOf(tree)).toBe('');
});

test('the library writes into a copy', () => {
  const schema = Object.freeze({ type: 'object' });
  expect(checkSchema(schema)).toEqual({ ok: true, schema: { type: 'object' } });
});

test('thousands of patterns that take long to look into are given up', () => {
  const pattern = (at: number) => `${at}${'(?:a|b|c|d)?'.repeat(50)}`;
  const anyOf = Array.from({ length: 90 }, (_, at) => ({ pattern: pattern(at) }));
  expect(cpuMs(() => checkSchema(withA({ anyOf })))).toBeLessThan(4_000);
});
