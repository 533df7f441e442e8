import { expect, test } from 'vitest';
import { explain, list } from '../../src/cli/commands/explain.ts';
import { toolFailures } from '../../src/protocol/events/tool-failures.ts';

test('every code has its line, and no line is wider than the terminal', () => {
  const lines = list(80).split('\n');
  expect(lines.filter((line) => /^[A-Z]/.test(line)).map((line) => line.split(' ')[0])).toEqual(
    Object.keys(toolFailures),
  );
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(lines.length).toBeGreaterThan(Object.keys(toolFailures).length);
});

test.each([
  ['timeot', 'Did you mean TIMEOUT?'],
  ['index-not-fond', 'Did you mean INDEX_NOT_FOUND?'],
  ['sens', 'Did you mean SENSITIVE_FILTERED?'],
  ['zzzzzz', 'All of them: synthesis explain'],
  ['', 'All of them: synthesis explain'],
  ['x'.repeat(100_000), 'All of them: synthesis explain'],
])('a code that does not exist is answered with the nearest', (name, suggestion) => {
  expect(() => explain(name, { json: false })).toThrow(
    expect.objectContaining({ exit: 'usage', code: 'unknown_code', suggestion }),
  );
});
