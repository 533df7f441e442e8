import { describe, expect, test } from 'vitest';
import { cleanData } from '../../../src/bridge/tools/words/clean-data.ts';
import { cleanWords } from '../../../src/bridge/tools/words/clean-words.ts';
import { givenSecrets } from '../../../src/bridge/tools/words/given-secrets.ts';
import { cpuMs } from './cpu.ts';
import { escapes, leaks, paths, secrets, stacks, tokens, unseen } from './hostile.ts';
import { nested } from './nested.ts';

describe('words of an error', () => {
  test.each([
    ['No model is loaded.\nLoad one.', 'No model is loaded.\nLoad one.'],
    ["ENOENT: no such file, open '/home/anna/vault/a.md'", "ENOENT: no such file, open '…/a.md'"],
    ['see /home/anna/x/y.md:3', 'see …/y.md:3'],
    [String.raw`C:\Users\anna\y.md is gone`, '…/y.md is gone'],
    [String.raw`\\server\share\y.md is gone`, '…/y.md is gone'],
    ['file:///home/anna/y.md is gone', '…/y.md is gone'],
    ['in ~/notes/y.md', 'in …/y.md'],
    ['and/or 1/2/3 text/plain a /b', 'and/or 1/2/3 text/plain a /b'],
    ['http://anna:pw@example.com/a/b/c?key=abc&page=2', 'http://example.com/a/b/c?key=‹secret›&page=2'],
    ['postgres://anna:pw@db/x', 'postgres://db/x'],
    ['Authorization: Bearer abc', 'Authorization: Bearer ‹secret›'],
    ['api_key=abc123 was refused', 'api_key=‹secret› was refused'],
    ['id 6f1d0c5e-1111-4222-8333-444455556666', 'id 6f1d0c5e-1111-4222-8333-444455556666'],
    ['Error: broken\n    at f (a.js:1:2)\n    at g (b.js:3:4)', 'Error: broken'],
    [
      'Traceback (most recent call last):\n  File "a.py", line 3, in f\n    g()\nValueError: bad',
      'ValueError: bad',
    ],
    ['panic: bad\n\ngoroutine 1 [running]:\nmain.f()\n\t/a/b.go:1 +0x1\n\nexit', 'panic: bad\n\nexit'],
    ['\u001b[31mred\u001b[0m ta\u200bil', 'red tail'],
    ['token sk-\u200bproj-abcdefghij0123456789', 'token ‹secret›'],
  ])('%j', (text, clean) => expect(cleanWords(text, [])).toBe(clean));

  test.each(tokens)('%s does not come through', (token) => {
    expect(cleanWords(`refused: ${token}!`, secrets)).not.toContain(token);
    expect(cleanWords(`{"key":${JSON.stringify(token)}}`, secrets)).not.toContain(
      JSON.stringify(token).slice(1, -1),
    );
  });
  test.each(paths)('%s does not come through', (path) =>
    expect(cleanWords(`cannot read ${path}`, [])).not.toMatch(leaks),
  );
  test.each(stacks)('%j does not come through', (stack) =>
    expect(cleanWords(`It broke.\n${stack}\nIt did.`, [])).not.toMatch(leaks),
  );
  test.each(escapes)('%j does not come through', (text) =>
    expect(cleanWords(`a ${text} b`, [])).not.toMatch(unseen),
  );

  test('a stack that begins in the midst of a line does not come through', () =>
    expect(cleanWords('It broke. Traceback (most recent call last):\n  f()\nValueError: bad', [])).toBe(
      'It broke.\nValueError: bad',
    ));

  test('no more than the ends of a huge one are read', () => {
    const huge = '/home/a '.repeat(1_000_000);
    expect(cpuMs(() => cleanWords(huge, []))).toBeLessThan(150);
  });

  test('a long one keeps its head and tail', () => {
    const words = cleanWords(`head ${'word '.repeat(1_000)} tail`, []);
    expect(words.length).toBeLessThan(2_000);
    expect(words).toMatch(/^head .*\n\[… \d+ characters not shown …\]\n.* tail$/s);
  });

  test('a path and a token at the cut of a very long one do not come through in halves', () => {
    for (let at = 0; at < 60; at += 1) {
      const words = cleanWords(
        `${'\u200b'.repeat(29_970 + at)} /home/anna/x/y tail ${'\u200b'.repeat(40_000)}`,
        [],
      );
      expect(words).not.toMatch(leaks);
      const half = `${'\u200b'.repeat(29_970 + at)}\n${secrets[0]} ${'\u200b'.repeat(40_000)}`;
      expect(cleanWords(half, secrets)).not.toContain('the-gi');
    }
  });
});

describe('data', () => {
  test('strings and keys lose escapes and secrets, and keep the rest', () => {
    const value = JSON.parse(
      '{"a\\u001b[31m":["x\\ny\\t\\u202e","a the-given/secret \\"5\\" b"],"__proto__":{"b":1},"n":1.5,"s":"  at f (/home/anna/x.js:1:2)"}',
    );
    const clean = cleanData(value, secrets);
    expect(clean).toEqual({
      data: { a: ['x\ny\t', 'a ‹secret› b'], n: 1.5, s: '  at f (/home/anna/x.js:1:2)' },
    });
    expect(Object.getPrototypeOf('data' in clean ? clean.data : undefined)).toBe(Object.prototype);
  });
  test('a key that is __proto__ only when it is clean is dropped, too', () => {
    expect(cleanData(JSON.parse('{"__pro\\u200bto__":{"b":1}}'), [])).toEqual({ data: {} });
  });
  test('too deep or large data is words', () => {
    expect(cleanData(nested(20_000), [])).toEqual({ words: 'more than 64 levels deep' });
    expect(
      cleanData(
        Array.from({ length: 300_000 }, () => 1),
        [],
      ),
    ).toEqual({ words: 'more than 200000 values' });
  });
});

test.each([
  [{ LOG_LEVEL: 'info', PORT: '8080', TODO_FILE: '/home/alice/my-todo-list-2026.json' }, {}, []],
  [{ API_KEY: 'info' }, {}, ['info']],
  [{ DB: 'postgres://alice:hunter22@db/x' }, {}, ['postgres://alice:hunter22@db/x']],
  [{ A: 'q8Zr0TvB1mKc7LxW2nYd' }, {}, ['q8Zr0TvB1mKc7LxW2nYd']],
  [{}, { accept: 'text/html', authorization: 'Bearer hunter22' }, ['Bearer hunter22', 'hunter22']],
])('of the settings %j %j secret is %j', (env, headers, secrets) => {
  expect(givenSecrets({ env: { ...env }, headers: { ...headers } })).toEqual(secrets);
});
