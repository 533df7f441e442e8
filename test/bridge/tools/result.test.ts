import { expect, test } from 'vitest';
import { type AboutResult, readResult } from '../../../src/bridge/tools/results/read-result.ts';
import { runs } from '../../support/runs.ts';
import { seeded } from '../../support/seeded.ts';
import { cpuMs } from './cpu.ts';
import { escapes, leaks, paths, secrets, stacks, tokens, unseen } from './hostile.ts';
import { nested } from './nested.ts';

const about: AboutResult = { tool: 'notes_search', secrets };
const text = (...texts: string[]) => ({ content: texts.map((each) => ({ type: 'text', text: each })) });
const meta = { query_time_ms: 1, chunks_scanned: null, index_version: null, vault_mtime: null };
const envelope = { status: 'healthy', data: { a: 1 }, error: null, meta };

test.each([
  ['one text', text('hello'), 'hello'],
  ['several texts', text('a', 'b'), 'a\nb'],
  ['nothing', { content: [] }, null],
  ['structured content', { ...text('{}'), structuredContent: { a: 1 } }, { a: 1 }],
  [
    'an image beside a text',
    {
      content: [
        { type: 'text', text: 'see' },
        { type: 'image', data: 'a'.repeat(16_000), mimeType: 'image/png' },
      ],
    },
    { text: 'see', left_out: ['image/png, 12 kB'] },
  ],
  [
    'a link',
    { content: [{ type: 'resource_link', uri: 'a://b', name: 'notes' }] },
    { left_out: ['link: notes'] },
  ],
  [
    'a resource',
    { content: [{ type: 'resource', resource: { uri: 'a://b', text: 'its text' } }] },
    'its text',
  ],
  [
    'a resource of bytes',
    { content: [{ type: 'resource', resource: { uri: 'a://b', blob: 'aaaa' } }] },
    { left_out: ['resource, 1 kB'] },
  ],
])('%s is data', (_, result, data) => expect(readResult(result, about)).toEqual({ kind: 'data', data }));

test('an envelope is passed on, from structured content and from a text', () => {
  expect(readResult({ content: [], structuredContent: envelope }, about)).toEqual({
    kind: 'envelope',
    envelope,
  });
  expect(readResult(text(JSON.stringify(envelope)), about)).toEqual({ kind: 'envelope', envelope });
});

test('the words and the data of an envelope are cleaned', () => {
  const error = {
    code: 'GONE',
    message: 'no /home/anna/x/y.md',
    recoverable: true,
    suggestion: 'look in ~/anna/x',
  };
  const given = {
    ...envelope,
    status: 'degraded',
    data: 'a\u001b[31mb',
    error,
    meta: { ...meta, index_version: '\u202e1' },
  };
  expect(readResult({ content: [], structuredContent: given, isError: true }, about)).toEqual({
    kind: 'envelope',
    envelope: {
      ...given,
      data: 'ab',
      error: { ...error, message: 'no …/y.md', suggestion: 'look in …/x' },
      meta: { ...meta, index_version: '1' },
    },
  });
});

test.each([
  ['an error', { ...text('It broke.\n    at f (/a/b.js:1:2)'), isError: true }, 'TOOL_FAILED', 'It broke.'],
  [
    'an error without words',
    { content: [], isError: true },
    'TOOL_FAILED',
    'The tool reported an error without words.',
  ],
  ['a text', 'hello', 'PROVIDER_PROTOCOL', 'no result of a tool'],
  ['nothing', undefined, 'PROVIDER_PROTOCOL', 'no result of a tool'],
  ['an object without content', {}, 'PROVIDER_PROTOCOL', 'no result of a tool'],
  ['an unknown block', { content: [{ type: 'film' }] }, 'PROVIDER_PROTOCOL', 'no result of a tool'],
  [
    'thousands of blocks',
    text(...Array.from({ length: 1_001 }, () => 'a')),
    'PROVIDER_PROTOCOL',
    'no result of a tool',
  ],
  ['a deep result', { content: [], structuredContent: nested(20_000) }, 'RESULT_TOO_LARGE', 'levels deep'],
  [
    'a deep envelope in a text',
    text(`{"status":"healthy","meta":1,"data":${'['.repeat(50_000)}${']'.repeat(50_000)}}`),
    'RESULT_TOO_LARGE',
    'has 100',
  ],
])('%s is a failure', (_, result, code, message) =>
  expect(readResult(result, { ...about, limit: 50_000 })).toMatchObject({
    kind: 'failed',
    code,
    message: expect.stringContaining(message),
  }),
);

test('what breaks the output schema is not passed on', () => {
  const reading = readResult(
    { content: [], structuredContent: { a: 'xyz' } },
    { ...about, outputCheck: () => '/a: no number' },
  );
  expect(reading).toEqual({
    kind: 'failed',
    code: 'PROVIDER_SCHEMA_BROKEN',
    message: 'The result of notes_search breaks its own output schema: /a: no number',
  });
});

test.each([
  ['letters', 'a'.repeat(5_000)],
  ['emoji', '😀'.repeat(5_000)],
  ['what JSON escapes', '\n"'.repeat(5_000)],
  ['a structure', { list: Array.from({ length: 2_000 }, (_, at) => `"${at}"`) }],
])('of too much data, %s, head and tail are left', (_, data) => {
  const result = typeof data === 'string' ? text(data) : { content: [], structuredContent: data };
  const reading = readResult(result, { ...about, limit: 1_000 });
  expect(reading).toMatchObject({
    kind: 'failed',
    code: 'RESULT_TOO_LARGE',
    message: expect.stringContaining('were left out'),
  });
  const cut = reading.kind === 'failed' ? (reading.data as { head: string; tail: string }) : undefined;
  const json = JSON.stringify(cut);
  expect(json.length).toBeLessThanOrEqual(1_000);
  expect(json).not.toMatch(/\\ud[89a-f]/);
  expect(cut?.head.length).toBeGreaterThan(200);
  expect(cut?.tail.length).toBeGreaterThan(100);
});

const parts = [
  ...tokens,
  ...paths,
  ...stacks.map((stack) => `\n${stack}\n`),
  ...escapes,
  '\n',
  ' ',
  'plain words',
  '{"a":',
  '\u001b['.repeat(300),
];

function hostile(random: () => number): unknown {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const words = () =>
    Array.from({ length: 1 + random() * 12 }, () => pick(parts)).join(pick([' ', '\n', '\n\n']));
  const value = (depth: number): unknown => {
    if (depth > 4 || random() < 0.3) return pick([words(), 1, null, true, -0]);
    if (random() < 0.5) return Array.from({ length: random() * 5 }, () => value(depth + 1));
    return Object.fromEntries(Array.from({ length: random() * 5 }, () => [words(), value(depth + 1)]));
  };
  const error = { code: 'GONE', message: words(), recoverable: false, suggestion: words() };
  return pick([
    () => ({ ...text(words(), words()), isError: true }),
    () => text(words()),
    () => ({ content: [], structuredContent: { a: value(0) } }),
    () => ({ content: [], structuredContent: { status: 'unavailable', data: value(0), error, meta } }),
    () => text(JSON.stringify({ status: 'unavailable', data: value(0), error, meta })),
    () => ({
      content: [
        { type: 'image', data: words(), mimeType: words() },
        { type: 'resource_link', uri: words(), name: words() },
      ],
    }),
    () => ({ content: [], structuredContent: { [words()]: nested(Math.floor(random() * 300)) } }),
    () => ({ ...text(words().repeat(1 + random() * 2_000)), isError: random() < 0.5 }),
    () => pick([words(), [words()], { content: words() }, { isError: words() }]),
  ])();
}

/** Every string and key of a value. */
function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => [key, ...stringsOf(each)]);
}

test('of 500 hostile results nothing unseen comes through, and no path, stack or secret in words', () => {
  const random = seeded(11);
  for (let run = 0; run < runs(500); run += 1) {
    const reading = readResult(hostile(random), { ...about, limit: 20_000 });
    const all = stringsOf(reading).join('\n');
    expect(all).not.toMatch(unseen);
    expect(all).not.toContain(secrets[0]);
    const words =
      reading.kind === 'failed'
        ? [reading.message]
        : reading.kind === 'envelope' && reading.envelope.error
          ? [reading.envelope.error.message, reading.envelope.error.suggestion]
          : [];
    for (const each of words) {
      expect(each).not.toMatch(leaks);
      expect(each.length).toBeLessThanOrEqual(2_000);
      for (const token of tokens) expect(each).not.toContain(token);
    }
  }
});

test('a huge result is refused in no time', () => {
  const huge = { content: [], structuredContent: { a: Array.from({ length: 1_000_000 }, () => 'a') } };
  expect(cpuMs(() => readResult(huge, about))).toBeLessThan(300);
});
