// A span of time in the configuration: a number of milliseconds, or a text with units.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { duration } from '../../src/protocol/duration.ts';
import { Config } from '../../src/protocol/settings/config.ts';

test.each([
  [1, 1],
  [600_000, 600_000],
  ['500ms', 500],
  ['90s', 90_000],
  ['10m', 600_000],
  ['1h30m', 5_400_000],
  ['2d', 172_800_000],
  ['1.5s', 1500],
  ['1.0005s', 1001],
])('%j is %i ms', (written, ms) => expect(duration().parse(written)).toBe(ms));

const said = (schema: z.ZodType, written: unknown) =>
  schema.safeParse(written).error?.issues.map(({ message }) => message);

test.each([
  ...[0, -1, 1.5, Number.POSITIVE_INFINITY, null, true],
  ...['90', '', '1h30', '-1m', '10 m', '10M', '1e3s', 'soon', '0s', '0.1ms', `${'9'.repeat(400)}d`],
])('%j is refused in one sentence with examples', (written) => {
  const words =
    'expected at least 1ms, as a number of milliseconds or a text such as "500ms", "90s", "10m" or "1h30m"';
  expect(said(duration(), written)).toEqual([words]);
});

test.each([99, 3_600_001, '99ms', '2h'])('%j is outside of bounds, which are said in words', (written) => {
  expect(said(duration('100ms', '1h'), written)).toEqual([expect.stringContaining('expected 100ms to 1h, ')]);
});

test('the longest grace of a host is the longest timer of Node', () => {
  const graceMs = 2 ** 31 - 1;
  expect(Config.parse({ hosts: { graceMs } }).hosts.graceMs).toBe(graceMs);
  expect(() => Config.parse({ hosts: { graceMs: graceMs + 1 } })).toThrow('24d20h31m23s647ms');
});

interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  type?: string;
  pattern?: string;
}

const named = (schema: Schema): [string, Schema][] =>
  Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => [
    [key, inner],
    ...named(inner),
    ...named(inner.items ?? {}),
  ]);

test('every setting that is a span of time takes both forms, and the JSON Schema says so', () => {
  const keys = named(z.toJSONSchema(Config, { io: 'input' }) as Schema);
  const spans = keys.filter(([key]) => /(?:Ms|Interval)$/.test(key));
  expect(spans.length).toBeGreaterThan(10);
  const oneForm = spans.filter(([, { anyOf }]) => anyOf?.map(({ type }) => type).join() !== 'integer,string');
  expect(oneForm.map(([key]) => key)).toEqual([]);
});
