// What fields mean: by the tables of known tools, by a provider's schema, by names. And what `policy test` says of it.
import { describe, expect, test } from 'vitest';
import { type Call, claudeCall, unwrapped } from '../../../src/domain/policy/call.ts';
import { catalogue } from '../../../src/domain/policy/defaults.ts';
import { explainFields } from '../../../src/domain/policy/explain.ts';
import { judge } from '../../../src/domain/policy/judge.ts';
import { claudeFields } from '../../../src/domain/policy/meaning/claude-fields.ts';
import { hubFields } from '../../../src/domain/policy/meaning/hub-fields.ts';
import { readInput } from '../../../src/domain/policy/meaning/read-input.ts';
import { lookupsOf } from '../../../src/domain/policy/meaning/table.ts';
import { vaultTools } from '../../../src/protocol/settings/vault.ts';
import { about, lent, place, rules, says } from './says.ts';

const read = (tool: string, input: unknown, more: Partial<Call> = {}) =>
  readInput(unwrapped({ ...claudeCall(tool, input), ...more })).fields.map(
    ({ at, meaning, understood }) => `${at} ${meaning}${understood ? '' : '?'}`,
  );

describe('the tables', () => {
  test('name each field once, and no power of a shell is left out', () => {
    for (const table of [claudeFields, hubFields])
      for (const [tool, meanings] of Object.entries(table)) {
        const names = Object.values(meanings).flatMap((each) => each.split(/\s+/));
        expect([tool, names.filter((name, at) => name === '' || names.indexOf(name) !== at)]).toEqual([
          tool,
          [],
        ]);
      }
    expect(read('Bash', { dangerouslyDisableSandbox: true })).toEqual(['dangerouslyDisableSandbox power']);
    const powers = { env: { A: 'b' }, elevated: true, host: 'node', node: 'n', security: 's', ask: 'a' };
    expect(read(lent('exec'), powers)).toEqual([
      'env.A power',
      'elevated power',
      'host power',
      'node power',
      'security power',
      'ask power',
    ]);
    expect(read('Agent', { mode: 'bypassPermissions', isolation: 'remote', prompt: 'x' })).toEqual([
      'mode power',
      'isolation power',
      'prompt text',
    ]);
  });

  test('know tools of the catalogue only, and the media tools of OpenClaw', () => {
    const others = Object.keys(hubFields).filter((tool) => !catalogue.has(tool));
    expect(others).toEqual(['pdf', 'image']);
  });

  test('hold for whoever has the tool: Claude Code, the hub, the bridge', () => {
    expect(read('Write', { file_path: 'a', content: 'b' })).toEqual(['file_path path', 'content text']);
    expect(read(lent('Write'), { content: 'b' })).toEqual(['content unknown?']);
    expect(read(lent('write'), { path: 'a', content: 'b' })).toEqual(['path path', 'content text']);
    expect(read('write', { content: 'b' })).toEqual(['content unknown?']);
    const provider = { provider: 'notes', permissions: ['net'] };
    expect(read(lent('write'), { content: 'b' }, provider)).toEqual(['content unknown?']);
    const search = { query: 'a', limit: 3, folder: 'x' };
    expect(read(lent(vaultTools.search), search, { ...provider, provider: 'obsidian_rag' })).toEqual([
      'query text',
      'limit flag',
      'folder text',
    ]);
    expect(read(lent(vaultTools.search), search, provider)).toEqual([
      'query unknown?',
      'limit unknown?',
      'folder path',
    ]);
  });

  test('speak of what is below a name, but of a flag as one value', () => {
    const lookups = lookupsOf({ t: { text: 'a\n b[].c', flag: 'd', power: 'e=f' } });
    const lookup = lookups.get('t');
    const meanings = ['a', 'a.x', 'a[].x[].y', 'a{}', 'b', 'b[]', 'b[].c', 'b[].c.d', 'd', 'd.x', 'x', ''];
    expect(meanings.map((at) => lookup?.(at)?.meaning)).toEqual([
      'text',
      'text',
      'text',
      'text',
      undefined,
      undefined,
      'text',
      'text',
      'flag',
      undefined,
      undefined,
      undefined,
    ]);
    expect(lookup?.('e')).toEqual({ meaning: 'power', usual: 'f' });
    expect(lookups.get('toString')).toBeUndefined();
  });

  test('take a flag for one word, a number, or yes or no', () => {
    const flag = (timeout: unknown) => read('Bash', { timeout });
    for (const value of [0, true, false, 'word', 'two-words_3'])
      expect([value, flag(value)]).toEqual([value, ['timeout flag']]);
    for (const value of ['a b', 'a.b', '/a', 'x'.repeat(65)])
      expect([value, flag(value)]).toEqual([value, ['timeout unknown?']]);
    expect(read('Bash', { timeout: 1.5, run_in_background: 10n })).toEqual([
      'timeout flag',
      'run_in_background flag',
    ]);
    expect([flag(''), flag(null), flag(undefined), flag([]), flag({})]).toEqual([[], [], [], [], []]);
  });
});

describe('a schema', () => {
  const schema = {
    type: 'object',
    properties: {
      path: { type: 'string' },
      link: { type: 'string', format: 'uri' },
      target_dir: { type: 'string', format: 'uri' },
      site: { type: 'string', format: 'url' },
      run: { type: 'string' },
      cmd: { type: 'string' },
      content: { type: 'string' },
      contents: { type: 'string' },
      subtitle: { type: 'string' },
      count: { type: 'integer' },
      ratio: { type: 'number' },
      deep: { type: 'boolean' },
      kind: { enum: ['a', 'b'] },
      fixed: { const: 'c' },
      elevated: { type: 'boolean' },
      skipChecks: { type: 'boolean' },
      edits: { type: 'array', items: { type: 'object', properties: { file: { type: 'string' } } } },
      ref: { $ref: '#/x' },
      either: { anyOf: [{ type: 'string' }] },
    },
  };
  const notes = (input: unknown): Call => ({
    tool: 'notes_add',
    input,
    lent: true,
    provider: 'notes',
    permissions: ['write:notes'],
    schema,
  });
  const told = (input: object) => read('', {}, notes(input));

  test('says what a field means, with its name', () => {
    const input = {
      path: '/a',
      link: 'x',
      target_dir: 'x',
      site: 'x',
      cmd: 'ls',
      content: 'x',
      count: 1,
      ratio: 0.5,
      deep: true,
      kind: 'a',
      fixed: 'c',
      edits: [{ file: 'a' }],
    };
    expect(told(input)).toEqual([
      'path path',
      'link url',
      'target_dir path',
      'site url',
      'cmd command',
      'content words',
      'count flag',
      'ratio flag',
      'deep flag',
      'kind flag',
      'fixed flag',
      'edits[0].file path',
    ]);
  });

  test('says nothing of a string without a telling name, of a value that it does not allow, and of what it refers to', () => {
    const odd = {
      run: 'ls',
      contents: 'x',
      subtitle: 'x',
      count: '1',
      ratio: '1',
      deep: 1,
      kind: 'c',
      fixed: 'd',
      content: 1,
      ref: 'x',
      either: 'x',
      other: 'x',
      toString: 'x',
      edits: 'x',
      path: { path: 'x' },
    };
    expect(told(odd)).toEqual([
      'run unknown?',
      'contents unknown?',
      'subtitle unknown?',
      'count unknown?',
      'ratio unknown?',
      'deep unknown?',
      'kind unknown?',
      'fixed unknown?',
      'content unknown?',
      'ref unknown?',
      'either unknown?',
      'other unknown?',
      'toString unknown?',
      'edits unknown?',
      'path.path path?',
    ]);
    expect(told({ elevated: true, skipChecks: true })).toEqual(['elevated power', 'skipChecks power']);
    expect(read('', {}, { ...notes({ path: 'a' }), schema: {} })).toEqual(['path path?']);
    for (const odd of [{ properties: [] }, { properties: null }, { properties: 'path' }, { items: {} }])
      expect([odd, read('', {}, { ...notes({ path: 'a' }), schema: odd })]).toEqual([odd, ['path path?']]);
    expect(read('', {}, notes({ a: { b: { c: 1 } }, kind: { a: { b: 1 } } }))).toEqual([
      'a.b.c unknown?',
      'kind.a.b unknown?',
    ]);
    expect(
      read('', {}, { ...notes({ file: 'x' }), schema: { properties: { file: { type: 'object' } } } }),
    ).toEqual(['file path?']);
    expect(read('', {}, { ...notes(5), schema: { type: 'number' } })).toEqual([' flag']);
    expect(read('', {}, { ...notes(['x']), schema: { items: { type: 'string' } } })).toEqual([
      '[0] unknown?',
    ]);
  });

  test('lets a rule allow a path, and its words are looked at all the same', () => {
    const given = [{ tool: 'notes_*', path: '/w/p', decision: 'allow' }];
    const said = (rule: object[], input: unknown) =>
      judge(rules(...rule), notes(input), about, place).decision;
    expect(said(given, { path: '/w/p/a', content: 'x', deep: true, kind: 'b' })).toBe('allow');
    for (const more of [{ run: 'x' }, { elevated: true }, { link: 'https://x' }, { other: 1 }])
      expect([more, said(given, { path: '/w/p/a', ...more })]).toEqual([more, 'ask']);
    const free = { ...about, mode: 'bypassPermissions' } as const;
    const noRm = rules({ command: 'rm', decision: 'deny' });
    expect(judge(noRm, notes({ content: 'rm x' }), free, place).decision).toBe('ask');
    expect(judge(noRm, notes({ content: 'x' }), free, place).decision).toBe('allow');
    const noSsh = { path: '~/.ssh', decision: 'deny' };
    expect(said([noSsh], { content: 'see ~/.ssh/id' })).toBe('ask');
    expect(said([{ path: '~/.ssh', decision: { quorum: 2 } }], { content: 'see ~/.ssh/id' })).toEqual({
      quorum: 2,
    });
  });
});

/** Names that only look like one of power. */
const mere = new Set(['root_', 'xenv', 'envx', 'note', 'xforce', 'xallow']);

describe('a name', () => {
  test.for<[string, string]>([
    ['command', 'command'],
    ['commands', 'command'],
    ['cmd', 'command'],
    ['argv', 'command'],
    ['commandline', 'command'],
    ['command_line', 'command'],
    ['shell_command', 'command'],
    ['shellCommand', 'command'],
    ['buildCmd', 'command'],
    ['buildCmds', 'command'],
    ['buildCommands', 'command'],
    ['pre_cmds', 'command'],
    ['build_command', 'command'],
    ['pre_cmd', 'command'],
    ['code', 'code'],
    ['script', 'code'],
    ['scripts', 'code'],
    ['source_code', 'code'],
    ['expression', 'code'],
    ['javascript', 'code'],
    ['python', 'code'],
    ['stdin', 'code'],
    ['pyCode', 'code'],
    ['runScript', 'code'],
    ['media', 'media'],
    ['images', 'media'],
    ['image_url', 'media'],
    ['photoUrl', 'media'],
    ['mediaURLs', 'media'],
    ['href', 'url'],
    ['baseHref', 'url'],
    ['targetURL', 'url'],
    ['filename', 'path'],
    ['file_name', 'path'],
    ['fileNames', 'path'],
    ['filepath', 'path'],
    ['inputFilename', 'path'],
    ['outputFolder', 'path'],
    ['sourceDirectory', 'path'],
  ])('%s means %s', ([name, meaning]) =>
    expect([read('x', { [name]: 'a b' }), read('x', { y: { [name]: ['a b'] } })]).toEqual([
      [`${name} ${meaning}`],
      [`y.${name}[0] ${meaning}`],
    ]),
  );

  test.for([
    'commander',
    'mycommand',
    'mycmd',
    'Commander',
    'pre_cmdx',
    'Scripted',
    'mediax',
    'xhref',
    'Hrefs_',
    'subtitle',
    'contents',
    'decode',
    'scripture',
    'multimedia',
    'imagery',
    'hrefs_x',
    'profile',
    'outpost',
    'recommand',
    'x',
  ])('%s means nothing', (name) => expect(read('x', { [name]: 'a' })).toEqual([`${name} unknown?`]));

  test.for([
    'env',
    'sudo',
    'root_',
    'xenv',
    'envx',
    'note',
    'xforce',
    'xallow',
    'as_root',
    'runAs',
    'run_as',
    'allowAll',
    'disable_checks',
    'bypassX',
    'dangerouslyX',
    'force',
    'no_sandbox',
    'noSandbox',
    'environment',
    'elevated',
    'admin',
    'privileged',
    'asRoot',
    'uid',
    'user',
    'unsafe',
    'insecure',
    'sandbox',
    'shell',
    'skip_hooks',
  ])('%s changes more than it says, in a schema', (name) => {
    const schema = { properties: { [name]: { type: 'boolean' }, tag: { type: 'boolean' } } };
    const call = { tool: 'a_b', lent: true, provider: 'a', permissions: ['net'], schema };
    const expected = mere.has(name) ? 'flag' : 'power';
    expect(read('', {}, { ...call, input: { [name]: true, tag: true } })).toEqual([
      `${name} ${expected}`,
      'tag flag',
    ]);
  });

  test('of code is that of a country or an error where it holds one word or a number', () => {
    expect([read('x', { code: 'DE' }), read('x', { code: 404 }), read('x', { code: 'a()' })]).toEqual([
      ['code unknown?'],
      ['code unknown?'],
      ['code code'],
    ]);
    expect(read('x', { y: '{"code":"DE"}' })).toEqual(['y unknown?', 'y.code unknown?']);
    expect(read('x', { y: ' {"path":"a","cmd":["b"]}' })).toEqual([
      'y unknown?',
      'y.path path?',
      'y.cmd[0] command?',
    ]);
    expect(read('x', { cmd: ['"a"'] })).toEqual(['cmd[0] command', 'cmd[0] command?']);
    expect(read('Write', { content: '{"path":"a"}' })).toEqual(['content text']);
    expect(read(lent('process'), { data: 'x' })).toEqual(['data code']);
  });

  test('with a dot, a bracket or a blank in it is no other field', () => {
    expect(read('Edit', { 'edits[].old_string': 'x' })).toEqual([' unknown?', '? unknown?']);
    expect(read(lent('browser'), { 'request.url': 'x' })).toEqual([' unknown?', '? unknown?']);
    expect(read('x', { 'a b': 1 })).toEqual([' unknown?', 'a b unknown?']);
    expect(read('x', { [`a${'b'.repeat(64)}`]: 1 })).toEqual([' unknown?', '? unknown?']);
  });
});

describe('policy test', () => {
  const explain = (given: object[], call: Call, decided?: number) =>
    explainFields(rules(...given), call, about, place, decided).map(({ field, meaning, rule, why }) =>
      [field, meaning, rule ?? why].join(' | '),
    );
  const exec = (input: unknown) => claudeCall(lent('exec'), input);

  test('says which rule covers a field, and why none does', () => {
    const given = [
      { command: 'git status', decision: 'allow' },
      { tool: 'exec', path: '/w/p', host: 'good.com', decision: 'allow' },
      { tool: 'exec', command: 'rm', decision: 'deny' },
      { tool: 'other', decision: 'allow' },
    ];
    expect(
      explain(given, exec({ command: 'git status', title: 'x', workdir: '/w/p/a', env: { A: 'b' }, y: 1 })),
    ).toEqual([
      'command | command | 1',
      'title | text | 1',
      'workdir | folder | 2',
      'env.A | power | it changes what runs, or where: only a rule for the whole tool covers it',
      'y | unknown | its meaning is not known, so only a rule for the whole tool covers it',
    ]);
    expect(explain(given, exec({ command: 'git status; git push', workdir: '/x' }))).toEqual([
      'command | command | no rule allows all of this command',
      'workdir | folder | it lies in no path that a rule allows',
    ]);
    expect(explain(given, exec({ command: 'git status "' }))).toEqual([
      'command | command | no rule allows all of this command',
    ]);
    expect(explain([{ tool: 'exec', decision: 'allow' }], exec({ command: 'x "', y: 1 }))).toEqual([
      'command | command | no rule allows all of this command',
      'y | unknown | 1',
    ]);
    expect(explain(given.slice(2), exec({ command: 'git status' }))).toEqual([
      'command | command | no rule allows this tool',
    ]);
    const fetch = { host: 'good.com', decision: 'allow' };
    expect(explain([fetch], claudeCall('WebFetch', { url: 'https://evil.com', prompt: 'x' }))).toEqual([
      'url | URL | no rule allows its host',
      'prompt | text | 1',
    ]);
    expect(explain([fetch], claudeCall(lent('pdf'), { pdfs: ['https://good.com/x', '/x'] }))).toEqual([
      'pdfs[0] | file or URL | 1',
      'pdfs[1] | file or URL | it lies in no path that a rule allows',
    ]);
  });

  test('says it of patterns, patches and commands that run nothing, too', () => {
    const inside = [{ path: '/w/p', command: 'ls', decision: 'allow' }];
    const outside = 'it lies in no path that a rule allows';
    expect(explain(inside, claudeCall('Glob', { pattern: '/w/p/*' }))).toEqual([
      `pattern | pattern of paths | ${outside}`,
    ]);
    const patch = (file: string) => claudeCall(lent('apply_patch'), { input: `*** Add File: ${file}\n` });
    expect([explain(inside, patch('/w/p/a')), explain(inside, patch('/x'))]).toEqual([
      ['input | patch | 1'],
      [`input | patch | ${outside}`],
    ]);
    expect(explain(inside, exec({ command: '# ls' }))).toEqual([
      'command | command | no rule allows all of this command',
    ]);
  });

  test('names the rule that decided first, and no rule for others or of another sandbox', () => {
    const given = [
      { command: 'git status', decision: 'allow' },
      { tool: 'exec', decision: 'allow' },
    ];
    const call = exec({ command: 'git status', env: { A: 'b' } });
    expect(explain(given, call, 2)).toEqual(['command | command | 2', 'env.A | power | 2']);
    expect(explain(given, call)).toEqual(['command | command | 1', 'env.A | power | 2']);
    expect(explain([{ session: 'other', decision: 'allow' }], call)).toEqual([
      'command | command | no rule allows this tool',
      'env.A | power | no rule allows this tool',
    ]);
    expect(explain([{ sandboxed: true, decision: 'allow' }], call)).toHaveLength(2);
    expect(explain([{ sandboxed: true, decision: 'allow' }], call)[0]).toContain('no rule allows this tool');
    expect(explain(given, claudeCall(lent('tool_call'), { id: 'exec', args: { env: { A: 'b' } } }))).toEqual([
      'env.A | power | 2',
    ]);
    expect(explain(given, claudeCall('Bash', '{"command'))).toEqual([]);
  });

  test('has a word for each meaning', () => {
    const meanings = (tool: string, input: object) =>
      explain([{ decision: 'allow' }], claudeCall(tool, input)).map((row) => row.split(' | ')[1]);
    expect(meanings('Glob', { pattern: '*' })).toEqual(['pattern of paths']);
    expect(meanings(lent('apply_patch'), { input: 'x' })).toEqual(['patch']);
    expect(meanings(lent('process'), { data: 'x', limit: 1 })).toEqual(['code', 'flag']);
    expect(meanings('Read', { file_path: 'x' })).toEqual(['path']);
  });
});

test('the fields of a tool inside of `tool_call` are its own', () => {
  const given = [{ tool: 'exec', command: 'ls', decision: 'allow' }];
  const inside = (args: object) => says(given, lent('tool_call'), { id: 'exec', args });
  expect([inside({ command: 'ls' }), inside({ command: 'ls', env: { A: 'b' } })]).toEqual(['allow', 'ask']);
});
