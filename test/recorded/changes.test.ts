import { expect, test } from 'vitest';
import { changesBetween, changesInWords } from './changes.ts';
import type { Recording } from './recording.ts';

const before: Recording = {
  version: '1.0.0',
  tools: { exec: 'aa', read: 'bb' },
  shapes: { 'hook Old': { a: 'string' }, 'hook Stop': { a: 'string', b: 'number', c: 'null' } },
  screens: { trust: ['Do you trust it?', 'Yes', 'No'], same: ['x'] },
  names: { setting: ['model', 'theme'] },
  defaults: { agents: 'in front', same: 'x' },
};

const after: Recording = {
  version: '1.1.0',
  tools: { read: 'cc', write: 'dd' },
  shapes: { 'hook New': {}, 'hook Stop': { a: 'string', b: 'string', d: 'array' }, request: {} },
  screens: { trust: ['Do you trust it?', 'Sure', 'No'], same: ['x'] },
  names: { setting: ['model', 'voice'], 'hook event': ['Stop'] },
  defaults: { agents: 'in the background', same: 'x' },
};

test('what is new, gone or different is said in words, with what kind of thing it is', () => {
  expect(changesBetween(before, after).map(({ area, words }) => [area, words])).toEqual([
    ['tool', 'the tool exec is gone'],
    ['tool', 'the tool read takes another input'],
    ['tool', 'the tool write is new'],
    ['hook', 'hook New is new'],
    ['hook', 'hook Old is gone'],
    ['hook', 'hook Stop: b is string, was number'],
    ['hook', 'hook Stop: c is gone'],
    ['hook', 'hook Stop: d is new'],
    ['request', 'request is new'],
    ['screen', 'the screen trust is drawn differently\n    - Yes\n    + Sure'],
    ['hook event', 'the hook event Stop is new'],
    ['setting', 'the setting theme is gone'],
    ['setting', 'the setting voice is new'],
    ['default', 'the default agents is in the background, was in front'],
  ]);
});

test('another version with the same looks is no change', () => {
  expect(changesBetween(before, { ...before, version: '2.0.0' })).toEqual([]);
});

test('a person reads which release was compared with which, or why there was nothing to compare', () => {
  expect(changesInWords('claude', before, { ...before, version: '1.0.1' })).toBe(
    'claude 1.0.1, against the pinned 1.0.0: nothing changed.',
  );
  expect(changesInWords('claude', before, { ...before, version: '1.0.1', tools: { read: 'bb' } })).toBe(
    'claude 1.0.1, against the pinned 1.0.0:\n  the tool exec is gone',
  );
  expect(changesInWords('claude', before, undefined)).toMatch(/^claude: not compared, .* did not run/);
  expect(changesInWords('claude', undefined, after)).toMatch(/^claude: not compared, nothing is recorded/);
});
