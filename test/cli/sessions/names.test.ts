import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sessionName, sessionNames } from '../../../src/cli/sessions/names.ts';
import { ruler, width } from '../../../src/cli/text/width.ts';
import { rowOf } from './row-of.ts';

const nameOf = (key: string) => sessionName(rowOf(key));

describe('the app and the chat come before the id', () => {
  test.each([
    ['agent:main:telegram:group:-1001234567890', 'telegram group -1001234567890'],
    ['agent:main:telegram:group:-100777:topic:42', 'telegram group -100777 topic 42'],
    ['agent:main:telegram:direct:4242', 'telegram direct 4242'],
    ['agent:main:telegram:dm:4242', 'telegram dm 4242'],
    ['agent:coder:discord:channel:4711', 'discord channel 4711 · coder'],
    ['agent:main:slack:channel:C1:thread:17.5', 'slack channel C1 thread 17.5'],
    ['agent:main:telegram:work:direct:42', 'telegram direct 42 @work'],
    ['agent:main:direct:42', 'direct 42'],
    ['agent:main:matrix:room:!abc:matrix.org', 'matrix room !abc:matrix.org'],
    ['agent:main:whatsapp:group:1203@g.us', 'whatsapp group 1203@g.us'],
    ['agent:main:main', 'main'],
    ['agent:work:main', 'main · work'],
    ['agent:main:subagent:4444-55', 'subagent 4444-55'],
    ['agent:cron:cron:nightly:run:7', 'cron nightly:run:7 · cron'],
    ['openclaw:main:telegram:4242', 'telegram 4242'],
    ['openclaw-cron-0123456789abcdef', 'cron 0123456789abcdef'],
  ])('%s is %s', (key, name) => expect(nameOf(key)).toBe(name));

  test.each([
    'notes',
    'agent:main:scratch-1',
    'agent:main:webchat:notes',
    'agent:main:telegram:direct:',
    'agent::telegram:direct:1',
    'openclaw:4711',
    'cache:abc',
    'user:direct:1:2',
    'agent:',
    '',
  ])('a name of another shape stays as it is: %j', (key) => expect(nameOf(key)).toBe(key));

  test('a guessed one is marked, and what the operator calls it goes first', () => {
    expect(sessionName(rowOf('guess:1', { guessed: true }))).toBe('guess:1 ?');
    expect(sessionName({ ...rowOf('agent:main:telegram:direct:1'), label: 'Anna' })).toBe('Anna');
  });
});

const fitted = (keys: readonly string[], cells: number) =>
  sessionNames(
    keys.map((key) => rowOf(key)),
    cells,
    ruler,
  );

test('the id gives way first, in its middle: the app, the kind and the topic stay', () => {
  expect(fitted(['agent:main:telegram:group:-1001234567890'], 23)).toEqual(['telegram group -100…890']);
  expect(fitted(['agent:main:telegram:group:-1001234567890:topic:42'], 30)).toEqual([
    'telegram group -10…90 topic 42',
  ]);
});

test('two that would read the same end in their ids, also when one of them is named after that', () => {
  const keys = ['agent:main:telegram:group:-1001111567890', 'agent:main:telegram:group:-1002222567890'];
  const [one = '', two = ''] = fitted(keys, 23);
  expect(one).toMatch(/^telegram group #[0-9a-f]{6}$/);
  expect(one).not.toBe(two);
  const spoofs = [...keys, 'telegram group 7', 'agent:main:telegram:group:7', one];
  expect(new Set(fitted(spoofs, 23)).size).toBe(spoofs.length);
});

const anyKey = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('main', 'coder'),
      fc.constantFrom('telegram', 'discord', '日本'),
      fc.constantFrom('direct', 'group', 'channel'),
      fc.integer({ min: 0, max: 3_000_000_000_000 }),
    )
    .map(([agent, app, kind, id]) => `agent:${agent}:${app}:${kind}:-100${id}`),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 50 }),
  fc.constantFrom('telegram group 7', 'agent:main:telegram:group:7', 'openclaw:main:telegram:group 7'),
);

test('whatever sessions are called, no name is too wide, and no two are the same', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(anyKey, { maxLength: 50 }),
      fc.integer({ min: 14, max: 60 }),
      (keys, cells) => {
        const names = fitted(keys, cells);
        for (const name of names) expect(width(name)).toBeLessThanOrEqual(cells);
        expect(new Set(names).size).toBe(keys.length);
      },
    ),
  );
});
