// Hosts as URL parsers read them: one that every client agrees on allows, any that some client may read restricts.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hostOf, hostPattern, hostsOf, webHost } from '../../../src/domain/policy/match/host-of.ts';
import { runs } from '../../support/runs.ts';
import { lent, says } from './says.ts';

const onlyGood = [{ tool: ['web_fetch', 'WebFetch'], host: 'good.com', decision: 'allow' }];
const noEvil = [{ host: 'evil.com', decision: 'deny' }];
const free = { mode: 'bypassPermissions' } as const;

describe('a rule that allows a host', () => {
  test.for([
    'https://good.com',
    'http://good.com/x?y=https://evil.com#z',
    'HTTPS://GOOD.com.:8443/',
    'https://g%6fod.com/',
    'good.com',
    'good.com/x',
    'good.com:8080/x',
    'good.com?x',
    'good.com:80?x',
    'good.com:80#x',
    'good.com:80',
    'good.com/x:y',
    ' https://good.com\n',
    'https://good.com/a@b@c',
    `https://good.com/${'a'.repeat(8_100)}`,
  ])('holds for %j', (url) => {
    expect(says(onlyGood, 'WebFetch', { url, prompt: 'x' })).toBe('allow');
    expect(says(onlyGood, lent('web_fetch'), { url, extractMode: 'text', maxChars: 5 })).toBe('allow');
  });

  test.for([
    'https:/evil.com://good.com',
    'https:evil.com/x://good.com/',
    'https:/good.com',
    'https:good.com',
    'https:\\\\good.com',
    'https:///good.com',
    '//good.com',
    '://good.com',
    'javascript:fetch("https://good.com")',
    'javascript://good.com/%0aalert(1)',
    'file://good.com/etc/hosts',
    'file:///etc/hosts',
    'data:text/html,good.com',
    'ftp://good.com',
    'ws://good.com',
    'wss://good.com',
    'about:blank',
    'chrome://good.com',
    'view-source:https://good.com',
    'blob:https://good.com/x',
    'mailto:a@good.com',
    'ssh://good.com',
    'git@good.com:a/b',
    'good.com:a/b',
    'good.com:80@evil.com',
    'https://good.com@evil.com',
    'https://user@good.com/',
    'https://:pw@good.com/',
    'xhttps://good.com',
    'good.com:x80',
    'good.com:80x',
    'https://good.com\\@evil.com',
    'https://evil.com\\@good.com',
    'https://evil.com@evil.com@good.com',
    'https://good.com\t.evil.com',
    'https://good\t.com',
    'https://go\0od.com',
    'https://good.com evil.com',
    'https://good.com.evil.com',
    'https://good.com:99999',
    'localhost:80',
    'good.com:123456',
    `https://good.com/${'a'.repeat(8_192)}`,
    'x',
    ' ',
  ])('does not hold for %j', (url) => expect(says(onlyGood, 'WebFetch', { url })).toBe('leave'));

  test('holds when each field with an address names it, and no field is left', () => {
    const may = (input: object, tool = 'WebFetch') => says(onlyGood, tool, input);
    expect(may({ url: 'https://good.com', proxy: 'x' })).toBe('leave');
    expect(may({ url: 'https://good.com', urls: ['https://good.com'] })).toBe('leave');
    expect(may({ url: ['https://good.com', 'https://evil.com'] })).toBe('leave');
    expect(may({ url: ['https://good.com', 7] })).toBe('leave');
    expect(may({ prompt: 'https://good.com' })).toBe('leave');
    const search = [{ host: 'good.com', decision: 'allow' }];
    expect(says(search, 'WebSearch', { query: 'x', allowed_domains: ['good.com'] })).toBe('allow');
    expect(says(search, 'WebSearch', { query: 'x' })).toBe('leave');
    expect(says([{ host: '*', decision: 'allow' }], 'WebFetch', { url: 'file:///etc/hosts' })).toBe('leave');
    for (const url of ['localhost:80', 'javascript:80'])
      expect([url, says([{ host: '*', decision: 'allow' }], 'WebFetch', { url })]).toEqual([url, 'leave']);
    expect(says([{ host: '*', decision: 'allow' }], 'WebFetch', { url: 'https://x.y' })).toBe('allow');
  });
});

describe('a denied host', () => {
  test.for([
    'https:/evil.com',
    'https:evil.com',
    'https:\\\\evil.com',
    'https:\\evil.com',
    'https:///evil.com',
    'http:evil.com://x',
    'https:/evil.com://good.com',
    'https:evil.com/x://good.com/',
    '//evil.com',
    '\\\\evil.com',
    'h\nttps://ev\til.com',
    '\0https://evil.com\x1f',
    'view-source:https://evil.com',
    'view-source:view-source:blob:https://evil.com',
    'jdbc:mysql://evil.com/db',
    'ssh://git@evil.com/x',
    'git+ssh://git@evil.com/x',
    'ws://evil.com',
    'file://evil.com/share',
    'javascript://evil.com/',
    'git@evil.com:a/b',
    'evil.com:a/b',
    'x-y:evil.com/z',
    'git@evil.com:22:a',
    '\0\0 evil.com \x1f ',
    'evil.com/x//good.com',
    'evil.com:8080/x//y',
    'https://evil.com:99999/',
    'https://good.com\\@evil.com',
    'https://evil.com\\@good.com',
    'https://EVIL%2Ecom.',
    'https://evil。com',
    'https://ⓔvil.com',
  ])('is found in %j', (url) => expect(says(noEvil, 'WebFetch', { url })).toBe('deny'));

  test.for([
    'https://evil.com@good.com',
    'https://good.com/evil',
    'https://notevil.com',
    'https://evil.com.good.com',
    'evil.com@good.com',
  ])('is not the user, or a part of the name: %j', (url) =>
    expect(says(noEvil, 'WebFetch', { url })).toBe('leave'),
  );

  test.for([
    'https://good.com?url=https://evil.com',
    'https://good.com/?url=https%3A%2F%2Fevil.com%2F',
    'https://good.com/?u=https%253A%252F%252Fevil%252Ecom',
    'https://good.com/?host=evil.com',
    'https://good.com/web/https://evil.com/x',
    'https://good.com/evil.com/x',
    'https://good.com#evil.com',
    'good.com/evil.com',
    'https://good.com/@evil.com',
    'https://good.com\\evil.com',
  ])('that the rest of an address names asks: %j', (url) =>
    expect(says(noEvil, 'WebFetch', { url })).toBe('ask'),
  );

  test.for<[object, string]>([
    [{ targetURL: 'https://evil.com' }, 'deny'],
    [{ href: 'https://evil.com' }, 'deny'],
    [{ request: { url: 'https://evil.com' } }, 'deny'],
    [{ mediaUrl: 'https://evil.com/x.png' }, 'deny'],
    [{ image: '//evil.com/x.png' }, 'deny'],
    [{ image: 'evil.com/x.png' }, 'ask'],
    [{ imageUrls: ['https://evil.com/x.png'] }, 'deny'],
    [{ args: { host: 'evil.com' } }, 'deny'],
    [{ source: 'https://evil.com/x' }, 'ask'],
    [{ source: 'git@evil.com:a/b' }, 'ask'],
    [{ source: 'http://[::1]/' }, 'leave'],
    [{ x: 'see https://evil.com.' }, 'ask'],
    [{ x: 'see (evil.com)' }, 'ask'],
    [{ x: 'a@evil.com' }, 'ask'],
    [{ x: '+evil.com' }, 'ask'],
    [{ x: 'evil%2ecom' }, 'ask'],
    [{ x: 'curl -xevil.com' }, 'leave'],
    [{ path: 'https://evil.com/x' }, 'ask'],
    [{ env: { https_proxy: 'http://evil.com:80' } }, 'ask'],
    [{ url: 'good.com', x: ['y', { z: 'evil.com' }] }, 'ask'],
    [{ url: 7 }, 'ask'],
    [{ x: 'nothing here, or evil.company' }, 'leave'],
    [{ media: 'data:text/plain,evil.com' }, 'ask'],
    [{ media: 'x.png' }, 'leave'],
    [{ media: 7 }, 'leave'],
    [{ media: ' https://evil.com/x' }, 'deny'],
    [{ media: ' //evil.com/x' }, 'deny'],
    [{ media: 'a https://evil.com/x' }, 'ask'],
    [{ media: 'a//evil.com/x' }, 'ask'],
    [{ media: ' data:,x/evil.com' }, 'ask'],
    [{ media: 'file://evil.com/x' }, 'ask'],
    [{ media: 'x-data:evil.com' }, 'deny'],
    [{ url: `data:,${'x'.repeat(9_000)}` }, 'leave'],
    [{ url: ` data:,${'x'.repeat(9_000)}` }, 'leave'],
    [{ url: `x${'x'.repeat(9_000)}` }, 'ask'],
    [{ url: '  https://good.com/evil.com' }, 'ask'],
    [{ url: 'data:text/plain,x' }, 'leave'],
    [{ url: 'data:text/plain,evil.com' }, 'ask'],
    [{ url: `https://${'a'.repeat(8_182)}@evil.com` }, 'ask'],
    [{ url: `https://${'a'.repeat(8_171)}@evil.com/` }, 'deny'],
    [{ code: 'x()' }, 'ask'],
    [{ code: 'x' }, 'leave'],
  ])('is found in %j: %s', ([input, decision]) => expect(says(noEvil, 'mcp__x__y', input)).toBe(decision));

  test('is found as a number and in short also where nothing says that it is a host', () => {
    const said = (host: string, x: string) => says([{ host, decision: 'deny' }], 'mcp__x__y', { x });
    expect(said('127.0.0.1', '2130706433')).toBe('ask');
    expect(said('::1', 'http://[0:0::1]/')).toBe('ask');
    expect(said('localhost', 'localhost')).toBe('ask');
    expect(said('localhost', 'see localhost')).toBe('leave');
    expect(says([{ host: 'ood.com', decision: 'deny' }], 'WebFetch', { url: 'https://good.com' })).toBe(
      'leave',
    );
    const local = [{ host: 'localhost', decision: 'deny' }];
    expect(says(local, 'Agent', { model: 'localhost', prompt: 'x' })).toBe('leave');
    const patch = { input: '*** Begin Patch\n*** Add File: /x\n+see evil.com\n*** End Patch' };
    expect(says(noEvil, lent('apply_patch'), patch, free)).toBe('allow');
    expect(said('localhost', 'at http://localhost:80 now')).toBe('ask');
    expect(said('bücher.de', 'bei bücher.de')).toBe('ask');
  });

  test('of every name is asked about where an address stands, and not at each word', () => {
    const said = (input: object) => says([{ host: '*', decision: 'deny' }], 'mcp__x__y', input);
    expect([said({ x: 'some file.txt' }), said({ x: 'word' }), said({ x: 'a//b' })]).toEqual([
      'leave',
      'leave',
      'ask',
    ]);
    expect([said({ x: 'a/b.c' }), said({ x: 'x \\\\a' })]).toEqual(['leave', 'ask']);
    expect([said({ x: 'see https://a.b' }), said({ url: 'a.b' })]).toEqual(['ask', 'deny']);
    expect(says([{ host: '*.*', decision: 'deny' }], 'mcp__x__y', { x: 'a.b' })).toBe('leave');
    expect(says([{ host: '*b', decision: 'deny' }], 'mcp__x__y', { x: 'a.b' })).toBe('ask');
  });

  test('is not looked for in the words of a known tool', () => {
    expect(says(noEvil, 'WebFetch', { url: 'good.com', prompt: 'evil.com' })).toBe('leave');
    expect(says(noEvil, 'Write', { file_path: '/x', content: 'https://evil.com' })).toBe('leave');
    expect(says(noEvil, lent('message'), { message: 'https://evil.com' }, free)).toBe('allow');
    expect(says(noEvil, lent('message'), { media: 'https://evil.com/x' }, free)).toBe('deny');
    expect(says(noEvil, 'WebSearch', { query: 'x', allowed_domains: ['evil.com'] })).toBe('deny');
    expect(says(noEvil, 'WebSearch', { query: 'x', blocked_domains: ['evil.com'] })).toBe('leave');
  });

  test('asks where there are more words than are looked at', () => {
    const words = (n: number) => ({ x: 'a.b '.repeat(n) });
    expect(says(noEvil, 'mcp__x__y', words(2_000))).toBe('leave');
    expect(says(noEvil, 'mcp__x__y', words(2_001))).toBe('ask');
    const deep = (n: number): unknown => (n === 0 ? 1 : { a: deep(n - 1) });
    expect([says(noEvil, 'mcp__x__y', deep(12)), says(noEvil, 'mcp__x__y', deep(13))]).toEqual([
      'leave',
      'ask',
    ]);
  });
});

describe('the hosts of an address', () => {
  test('are the one that a parser of the web reads, and those that others may', () => {
    for (const scheme of ['http', 'https', 'ws', 'wss', 'ftp'])
      expect(hostsOf(`${scheme}://a.com/b`)).toEqual(['a.com']);
    expect(hostsOf('git@[::1]:a/b')).toContain('::1');
    expect(hostsOf('//a.com/b//c.com')).toEqual(['a.com']);
    const nested = (n: number) => hostsOf(`${'a:'.repeat(n)}b.com`);
    expect([nested(16).includes('b.com'), nested(17)]).toEqual([true, []]);
    const long = (n: number) => hostsOf(`a.com/${'x'.repeat(n - 6)}`);
    expect([long(8_192), long(8_193)]).toEqual([['a.com'], []]);
    const web = (n: number) => webHost(`a.com/${'x'.repeat(n - 6)}`);
    expect([web(8_192), web(8_193)]).toEqual(['a.com', undefined]);
    expect([hostPattern('A b'), hostPattern('*.A.b.'), hostPattern('http://A.b/')]).toEqual([
      'a b',
      '*.a.b',
      'a.b',
    ]);
    expect(hostsOf('a.com:80/b')).toContain('a.com');
    expect(hostsOf('x:y:z')).toEqual(expect.arrayContaining(['y']));
    expect([hostsOf(''), hostsOf(':'), hostsOf('//')]).toEqual([[], [], []]);
    expect([hostOf('http://A.com.'), hostOf('a b'), hostOf('[::1]')]).toEqual(['a.com', undefined, '::1']);
    expect(hostsOf('a:b:c:d:e://h.com')).toContain('h.com');
  });

  test('hold the one that allows, whatever the text is', () => {
    const piece = fc.constantFrom(
      'https:',
      'http:',
      '/',
      '//',
      '\\',
      '@',
      ':',
      'a.com',
      'b.com',
      '80',
      '?',
      '#',
      '%2e',
      '\t',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('');
        const web = webHost(text);
        if (web === undefined) return;
        expect(hostsOf(text)).toContain(web);
        // A browser that is given the whole address agrees.
        expect(
          URL.parse(/^https?:/.test(text.trim()) ? text : `http://${text.trim()}`)?.hostname.replace(
            /\.$/,
            '',
          ),
        ).toBe(web);
      }),
      { numRuns: runs(2_000) },
    );
  });
});
