import { expect, test } from 'vitest';
import { changesBetween, changesInWords } from './changes.ts';
import type { Recording } from './recording.ts';

const before: Recording = {
  version: '1.0.0',
  tools: ['exec', 'read'],
  shapes: { 'hook Old': { a: 'string' }, 'hook Stop': { a: 'string', b: 'number', c: 'null' } },
  screens: { trust: ['Do you trust it?', 'Yes', 'No'], same: ['x'] },
};

const after: Recording = {
  version: '1.1.0',
  tools: ['read', 'write'],
  shapes: { 'hook New': {}, 'hook Stop': { a: 'string', b: 'string', d: 'array' } },
  screens: { trust: ['Do you trust it?', 'Sure', 'No'], same: ['x'] },
};

test('what is new, gone or different is said in words', () => {
  expect(changesBetween(before, after)).toEqual([
    'the tool exec is gone',
    'the tool write is new',
    'hook New is new',
    'hook Old is gone',
    'hook Stop: b is string, was number',
    'hook Stop: c is gone',
    'hook Stop: d is new',
    'the screen trust is drawn differently\n    - Yes\n    + Sure',
  ]);
});

test('another version with the same looks is no change', () => {
  expect(changesBetween(before, { ...before, version: '2.0.0' })).toEqual([]);
});

test('a person reads which release was compared with which, or why there was nothing to compare', () => {
  expect(changesInWords('claude', before, { ...before, version: '1.0.1' })).toBe(
    'claude 1.0.1, against the pinned 1.0.0: nothing changed.',
  );
  expect(changesInWords('claude', before, { ...before, version: '1.0.1', tools: ['read'] })).toBe(
    'claude 1.0.1, against the pinned 1.0.0:\n  the tool exec is gone',
  );
  expect(changesInWords('claude', before, undefined)).toMatch(/^claude: not compared, .* did not run/);
  expect(changesInWords('claude', undefined, after)).toMatch(/^claude: not compared, nothing is recorded/);
});
