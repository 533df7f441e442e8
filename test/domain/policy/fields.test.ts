// An input is understood whole or not at all: every field of it, wherever the thing stands that a rule names.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claudeCall } from '../../../src/domain/policy/call.ts';
import { judge } from '../../../src/domain/policy/judge.ts';
import { strength } from '../../../src/domain/policy/ruling.ts';
import type { PolicyRule } from '../../../src/protocol/settings/policy.ts';
import { runs } from '../../support/runs.ts';
import { about, lent, place, rules, ruling, says } from './says.ts';

const id = '/home/u/.ssh/id';
const free = { mode: 'bypassPermissions' } as const;

describe('a rule that allows a command', () => {
  const given = [{ tool: ['Bash', 'exec'], command: 'git status', decision: 'allow' }];
  const said = (tool: string, more: object) => says(given, tool, { command: 'git status -s', ...more });

  test.for<[string, object]>([
    ['Bash', {}],
    ['Bash', { description: 'Shows ~/.ssh', timeout: 5_000, run_in_background: true }],
    ['Bash', { dangerouslyDisableSandbox: false, description: '', timeout: null }],
    [lent('exec'), { title: 'Look', yieldMs: 1, background: false, timeoutSeconds: 0, pty: true }],
    [lent('exec'), { elevated: false, host: 'auto', workdir: '', env: {}, node: undefined, ask: '' }],
  ])('holds for %s with %j', ([tool, more]) => expect(said(tool, more)).toBe('allow'));

  test.for<[string, object]>([
    ['Bash', { dangerouslyDisableSandbox: true }],
    ['Bash', { dangerouslyDisableSandbox: 'yes' }],
    ['Bash', { env: { A: 'b' } }],
    ['Bash', { workdir: '/w' }],
    ['Bash', { newField: 1 }],
    ['Bash', { newField: '' }],
    ['Bash', { newField: false }],
    ['Bash', { timeout: 'rm x' }],
    ['Bash', { timeout: { a: 1 } }],
    ['Bash', { cmd: 'git status' }],
    [lent('exec'), { env: { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.fsmonitor' } }],
    [lent('exec'), { env: { A: '1' } }],
    [lent('exec'), { env: ['A=1'] }],
    [lent('exec'), { env: 'A=1' }],
    [lent('exec'), { elevated: true }],
    [lent('exec'), { host: 'node' }],
    [lent('exec'), { host: 'gateway' }],
    [lent('exec'), { node: 'n' }],
    [lent('exec'), { security: 'full' }],
    [lent('exec'), { ask: 'off' }],
    [lent('exec'), { workdir: '/w' }],
    [lent('exec'), { command: ['git', 'status'] }],
  ])('does not hold for %s with %j', ([tool, more]) =>
    expect(said(tool, more)).toBe(tool === 'Bash' ? 'leave' : 'ask'),
  );

  test('holds for the whole tool where it names no command', () => {
    const whole = [{ tool: 'exec', decision: 'allow' }];
    expect(says(whole, lent('exec'), { command: 'ls', env: { A: 'b' }, elevated: true })).toBe('allow');
    expect(says(whole, lent('exec'), { newField: [1] })).toBe('allow');
    expect(says([{ tool: 'process', decision: 'allow' }], lent('process'), { data: 'rm x' })).toBe('allow');
  });

  test('with a path holds where the folder of the command lies inside of it', () => {
    const both = [{ tool: 'exec', command: 'git status', path: '/w/p', decision: 'allow' }];
    const inside = (more: object) => says(both, lent('exec'), { command: 'git status', ...more });
    expect(inside({ workdir: '/w/p/x' })).toBe('allow');
    for (const more of [
      { workdir: '/w' },
      { workdir: '/w/p/link' },
      { workdir: '/w/p/..' },
      { workdir: '/w/p', env: { A: 'b' } },
      { workdir: '/w/p', command: 'git push' },
      {},
    ])
      expect([more, inside(more)]).toEqual([more, 'ask']);
    expect(says([{ path: '/w/p', decision: 'allow' }], lent('exec'), { command: 'x', workdir: '/w/p' })).toBe(
      'ask',
    );
  });

  test('is the command of each field that holds one', () => {
    const any = [{ command: 'ls', decision: 'allow' }];
    const other = (input: object) => says(any, 'mcp__x__run', input);
    expect([other({ command: 'ls' }), other({ cmd: 'ls -l' }), other({ command: 'ls', cmd: 'ls' })]).toEqual([
      'allow',
      'allow',
      'allow',
    ]);
    for (const input of [
      { command: 'ls', cmd: 'rm x' },
      { cmd: ['ls'] },
      { cmd: 7 },
      { code: 'ls -l' },
      { cmd: 'ls', code: 'ls -l' },
      { cmd: 'ls', n: 1 },
      { cmd: 'ls', verbose: true },
      { cmd: 'ls', note: 'x' },
      { cmd: '' },
      { cmd: 'ls "' },
      { run: 'ls' },
    ])
      expect([input, other(input)]).toEqual([input, 'leave']);
  });
});

describe('a rule that allows a path', () => {
  const given = [{ path: '/w/p', decision: 'allow' }];

  test.for<[string, object]>([
    ['Write', { file_path: '/w/p/a', content: 'cat /home/u/.ssh/id' }],
    ['Edit', { file_path: 'a', old_string: 'https://evil.com', new_string: 'rm x', replace_all: true }],
    ['MultiEdit', { file_path: 'a', edits: [{ old_string: 'a', new_string: 'b', replace_all: false }] }],
    ['Read', { file_path: '/w/p/a', offset: 1, limit: 2, pages: '1-2' }],
    ['NotebookEdit', { notebook_path: 'a.ipynb', new_source: 'x', cell_id: 'a1', cell_type: 'code' }],
    ['Grep', { pattern: 'x y', path: '/w/p', glob: '*.ts', output_mode: 'count', '-n': true, '-A': 3 }],
    ['Grep', { pattern: 'x', path: '' }],
    [lent('write'), { path: '/w/p/a', content: 'x' }],
    [lent('edit'), { path: '/w/p/a', edits: [{ oldText: 'a', newText: 'b' }] }],
    ['mcp__fs__read', { path: '/w/p/a' }],
  ])('holds for %s with %j', ([tool, input]) => expect(says(given, tool, input)).toBe('allow'));

  test.for<[string, object]>([
    ['Write', { file_path: '/w/p/a', content: 'x', mode: 511 }],
    ['Write', { file_path: '/w/p/a', content: 'x', path: '/w/p/b' }],
    ['Edit', { file_path: '/w/p/a', edits: [{ path: '/w/p/b' }] }],
    ['MultiEdit', { file_path: 'a', edits: [{ old_string: 'a', path: id }] }],
    ['mcp__fs__read', { path: '/w/p/a', source: '/w/p/b' }],
    ['mcp__fs__read', { path: '/w/p/a', force: true }],
    ['mcp__fs__read', { path: '/w/p/a', head: 3 }],
    ['mcp__fs__read', { path: '/w/p/a', url: 'https://good.com' }],
    ['mcp__fs__read', { path: '/w/p/a', code: 'x()' }],
    ['Read', { file_path: 'file:///w/p/a' }],
    ['Read', { file_path: '~root/a' }],
    ['Read', { file_path: ' /w/p/a' }],
    ['Read', { file_path: '/w/p/a ' }],
    ['Read', { file_path: '/proc/self/cwd/a' }],
    ['Read', { file_path: '../../proc/self/root/w/p/a' }],
    ['Read', { file_path: '/dev/fd/3' }],
    ['Read', { file_path: '/w/p/a</arg_value>' }],
    ['Read', { file_path: '@a' }],
    ['Read', { file_path: '/w/p/a\u00a0b' }],
    ['Read', { offset: 1 }],
  ])('does not hold for %s with %j', ([tool, input]) =>
    expect(says(given, tool, input)).toBe(tool.startsWith('mcp__synthesis') ? 'ask' : 'leave'),
  );

  test('covers files that are sent only where they lie inside, and never whom they are sent to', () => {
    const inside = [{ path: '/w/p', host: 'good.com', decision: 'allow' }];
    const sends = (input: object) => says(inside, lent('pdf'), { prompt: 'x', ...input });
    expect(sends({ pdfs: ['/w/p/a.pdf', 'https://good.com/b.pdf'] })).toBe('allow');
    for (const pdfs of [
      ['/w/p/a.pdf'],
      ['https://good.com/b.pdf'],
      ['/w/p/a', 'https://evil.com'],
      ['/w/p/a', 'file:///w/p/a', 'https://good.com'],
      ['/w/p/a', '//good.com'],
    ])
      expect([pdfs, sends({ pdfs })]).toEqual([pdfs, 'ask']);
    expect(says(given, lent('pdf'), { pdf: '/w/p/a.pdf' })).toBe('allow');
    for (const input of [
      { path: '/w/p/a', media: id },
      { path: '/w/p/a', target: 'someone' },
      { path: '/w/p/a', filename: 'x' },
    ])
      expect([input, says(given, lent('message'), input)]).toEqual([input, 'ask']);
  });
});

describe('a denied path', () => {
  const noSsh = [{ path: '~/.ssh', decision: 'deny' }];
  const said = (input: unknown, tool = 'mcp__x__y') => says(noSsh, tool, input);

  test.for<[object, string]>([
    [{ filename: id }, 'deny'],
    [{ filepath: id }, 'deny'],
    [{ args: { path: id } }, 'deny'],
    [{ edits: [{ path: '/x' }, { path: id }] }, 'deny'],
    [{ uri: 'file:///home/u/.ssh/id' }, 'deny'],
    [{ uri: 'file://localhost/home/u/%2Essh/id' }, 'deny'],
    [{ url: 'FILE:/home/u/.ssh/id' }, 'deny'],
    [{ path: 'file:///home/u/.ssh/id' }, 'deny'],
    [{ path: '/proc/self/cwd/link/id' }, 'deny'],
    [{ path: '/proc/self/cwd/../../home/u/.ssh/id' }, 'deny'],
    [{ path: '/proc/self/root/home/u/.ssh/id' }, 'deny'],
    [{ path: '/proc/thread-self/root/home/u/.ssh/id' }, 'deny'],
    [{ path: '/proc/1/root/home/u/.ssh/id' }, 'deny'],
    [{ path: '/proc/self/task/7/root/home/u/.ssh' }, 'deny'],
    [{ path: '/proc/self/root/proc/self/root/home/u/.ssh' }, 'deny'],
    [{ path: '../../proc/./self//root/home/u/.ssh' }, 'deny'],
    [{ path: '/proc/self/fd/../root/home/u/.ssh' }, 'deny'],
    [{ path: '/proc/1/cwd/id' }, 'ask'],
    [{ path: '/proc/self/fd/3/id' }, 'ask'],
    [{ path: '/dev/fd/3/id' }, 'ask'],
    [{ path: '/dev/fd/../cwd/link/id' }, 'deny'],
    [{ path: '/dev/fd/../root/home/u/.ssh' }, 'deny'],
    [{ media: id }, 'deny'],
    [{ mediaUrl: id }, 'deny'],
    [{ image: '~/.ssh/id' }, 'deny'],
    [{ attachments: [{ media: id }] }, 'deny'],
    [{ path: `@${id}` }, 'deny'],
    [{ path: '@~/.ssh/id' }, 'deny'],
    [{ path: ` ${id}` }, 'deny'],
    [{ path: '/home/u/.ssh</arg_value>' }, 'deny'],
    [{ files: { [id]: 'x' } }, 'deny'],
    [{ source: id }, 'ask'],
    [{ destination: id }, 'ask'],
    [{ source: '/home/u' }, 'ask'],
    [{ source: '~' }, 'ask'],
    [{ source: '/home/**' }, 'ask'],
    [{ target: '$HOME/.ssh/id' }, 'ask'],
    [{ target: `\${HOME}/.ssh/id` }, 'ask'],
    [{ target: 'link/id' }, 'ask'],
    [{ x: [{ y: { z: id } }] }, 'ask'],
    [{ x: `cp ${id} /tmp` }, 'ask'],
    [{ x: `a "${id}",b` }, 'ask'],
    [{ x: `--f=${id} x` }, 'ask'],
    [{ x: `h:${id} y` }, 'ask'],
    [{ x: 'see ~/.ssh/id' }, 'ask'],
    [{ x: 'see $HOME/.ssh/id' }, 'ask'],
    [{ x: `see \${HOME}/.ssh/id` }, 'ask'],
    [{ x: 'see file:///home/u/.ssh/id' }, 'ask'],
    [{ x: '{"path":"\\/home\\/u\\/.ssh"}' }, 'deny'],
    [{ x: '["\\u002fhome/u/.ssh"]' }, 'ask'],
    [{ x: '"\\u002fhome/u/.ssh"' }, 'ask'],
    [{ x: JSON.stringify({ y: JSON.stringify({ path: id }) }) }, 'deny'],
    [{ [id]: 1 }, 'ask'],
    [{ env: { A: id } }, 'ask'],
    [{ url: id }, 'ask'],
    [{ code: 'x()' }, 'ask'],
    [{ code: 'x' }, 'leave'],
    [{ command: [`cat`, id] }, 'deny'],
    [{ cmd: `cat ${id}` }, 'deny'],
    [{ cmd: 'cat id', cwd: '/home/u/.ssh' }, 'deny'],
  ])('is found in %j: %s', ([input, decision]) => expect(said(input)).toBe(decision));

  test.for<[object]>([
    [{ path: '/dev/fd/3' }],
    [{ path: '/proc/self/fd/3' }],
    [{ path: '/proc/self/status' }],
    [{ path: '/proc/self/root/etc/hosts' }],
    [{ path: '/proc/self/cwd/x' }],
    [{ path: '/w/p/proc/1/cwd/x' }],
    [{ path: '/dev/null' }],
    [{ media: 'https://good.com/home/u/.ssh' }],
    [{ media: 'data:text/plain,x' }],
    [{ source: 'x' }],
    [{ source: '/home/x' }],
    [{ x: 'the folder .ssh' }],
    [{ x: 'a lot of words / and more' }],
    [{ x: '[not json' }],
    [{ n: 7, b: true }],
    [{ url: 'https://good.com/.ssh' }],
  ])('is not seen in %j', ([input]) => expect(said(input)).toBe('leave'));

  test('is not looked for in what a known tool only keeps, sends or compares', () => {
    for (const [tool, input] of [
      ['Write', { file_path: '/x', content: id }],
      ['Edit', { file_path: '/x', old_string: id, new_string: `cat ${id}` }],
      ['WebSearch', { query: id }],
      ['Agent', { description: id, prompt: `look into ${id}` }],
      ['Bash', { command: 'ls', description: id }],
      ['TodoWrite', { todos: [{ content: id }] }],
      ['AskUserQuestion', { questions: [{ question: id, options: [{ label: id }] }] }],
    ] as const)
      expect([tool, says(noSsh, tool, input)]).toEqual([tool, 'leave']);
    for (const [tool, input] of [
      ['message', { message: id }],
      ['write', { path: '/x', content: id }],
      ['edit', { path: '/x', edits: [{ oldText: id, newText: id }] }],
      ['web_search', { query: id }],
    ] as const)
      expect([tool, says(noSsh, lent(tool), input, free)]).toEqual([tool, 'allow']);
  });

  test('is found in a field that a known tool does not have', () => {
    expect(said({ file_path: '/x', content: 'x', path: id }, 'Write')).toBe('deny');
    expect(said({ file_path: '/x', content: 'x', backup: id }, 'Write')).toBe('ask');
    expect(said({ command: 'ls', note: id }, 'Bash')).toBe('ask');
  });

  test('asks where more is named than is looked at', () => {
    const many = (n: number) => ({ x: Array.from({ length: n }, (_, at) => `/x/${at} y`).join('\n') });
    expect([said(many(500)), said(many(501))]).toEqual(['leave', 'ask']);
    const list = (n: number) => ({ x: Array.from({ length: n }, () => 1) });
    expect([said(list(5_000)), said(list(5_001))]).toEqual(['leave', 'ask']);
    const deep = (n: number): unknown => (n === 0 ? 1 : { a: deep(n - 1) });
    expect([said(deep(12)), said(deep(13))]).toEqual(['leave', 'ask']);
    const lists = (n: number): unknown => (n === 0 ? 1 : [lists(n - 1)]);
    expect([said({ a: lists(11) }), said({ a: lists(12) })]).toEqual(['leave', 'ask']);
    const json = (n: number): string => (n === 0 ? '1' : JSON.stringify({ a: json(n - 1) }));
    expect([said({ a: json(3) }), said({ a: json(4) })]).toEqual(['leave', 'ask']);
    expect([said({ a: '[1]', b: json(4) }), said({ a: json(4), b: '[1]' })]).toEqual(['ask', 'ask']);
    const last = (text: string) => JSON.stringify({ a: JSON.stringify({ a: JSON.stringify({ a: text }) }) });
    expect([said({ a: last('[x') }), said({ a: last('[]') })]).toEqual(['leave', 'ask']);
    const inText = (n: number) => ({ x: JSON.stringify(Array.from({ length: n }, () => 1)) });
    expect([said(inText(5_000)), said(inText(5_001))]).toEqual(['leave', 'ask']);
    const names = (n: number) => ({
      x: Object.fromEntries(Array.from({ length: n }, (_, at) => [`${at} a`, null])),
    });
    expect([said(names(5_000)), said(names(5_001))]).toEqual(['leave', 'ask']);
    const wide = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, at) => [`a${at}`, 1]));
    expect([said(wide(5_000)), said(wide(5_001))]).toEqual(['leave', 'ask']);
  });

  test('in a command is found behind the names of what a process has open, and as a file’s address', () => {
    const bash = (command: string) => says(noSsh, 'Bash', { command });
    expect(bash('cat /proc/self/cwd/link/id')).toBe('deny');
    expect(bash('cat /proc/self/root/home/u/.ssh/id')).toBe('deny');
    expect(bash('cat /proc/$X/root/x')).toBe('ask');
    expect(bash('cat /proc/*/root/home/u/.ssh/id')).toBe('ask');
    expect(bash('cat /pr?c/self/cwd/id')).toBe('ask');
    expect(bash('cat /proc/self/c*d/id')).toBe('ask');
    expect(bash('cat /proc/1/cwd/id')).toBe('ask');
    expect(bash('cat file://localhost/home/u/.ssh/id')).toBe('deny');
    expect(bash('cat /dev/fd/3/id')).toBe('ask');
    expect([bash('cat /dev/fd/3'), bash('cat /proc/self/status'), bash('cat /*/u/x')]).toEqual([
      'leave',
      'leave',
      'leave',
    ]);
  });
});

describe('a denied command', () => {
  const noRm = [{ command: 'rm', decision: 'deny' }];

  test.for<[object, string]>([
    [{ command: ['rm', 'x'] }, 'deny'],
    [{ command: ['sh', '-c', 'rm x'] }, 'deny'],
    [{ command: ['ls', 'rm x'] }, 'ask'],
    [{ command: ['ls', "it's"] }, 'leave'],
    [{ command: ['ls', 7] }, 'ask'],
    [{ command: ['ls', null] }, 'ask'],
    [{ y: '{"command":["rm","x"]}' }, 'deny'],
    [{ y: '{"args":["rm","x"]}' }, 'ask'],
    [{ command: 7 }, 'ask'],
    [{ cmd: 'rm x' }, 'deny'],
    [{ cmd: 'rm "' }, 'ask'],
    [{ argv: ['rm', "it's"] }, 'deny'],
    [{ shellCommand: 'rm x' }, 'deny'],
    [{ args: { command: 'rm x' } }, 'deny'],
    [{ script: 'rm x' }, 'deny'],
    [{ script: 'print(1)' }, 'ask'],
    [{ code: 'import os' }, 'ask'],
    [{ code: 'rm' }, 'ask'],
    [{ code: 404 }, 'leave'],
    [{ x: 'rm x' }, 'ask'],
    [{ x: 'ls; rm x' }, 'ask'],
    [{ x: 'sh -c "rm x"' }, 'ask'],
    [{ steps: [{ run: 'rm x' }] }, 'ask'],
    [{ env: { EDITOR: 'rm x' } }, 'ask'],
    [{ x: '{"command":"rm x"}' }, 'deny'],
    [{ x: `${'a '.repeat(10_001)} rm` }, 'ask'],
    [{ x: 'git rm x' }, 'leave'],
    [{ x: `git rm ${'x'.repeat(19_993)}` }, 'leave'],
    [{ x: `git rm ${'x'.repeat(19_994)}` }, 'ask'],
    [{ x: '$X' }, 'leave'],
    [{ x: `${'a '.repeat(10_001)}` }, 'leave'],
    [{ cmd: 'ls' }, 'leave'],
    [{ x: 'words' }, 'leave'],
  ])('is found in %j: %s', ([input, decision]) => expect(says(noRm, 'mcp__x__y', input)).toBe(decision));

  test('is found among many, or asked about behind the most that are read', () => {
    const many = (length: number) => ({ commands: Array.from({ length }, () => 'a b').concat('rm x') });
    for (const length of [0, 998, 1_000])
      expect([length, says(noRm, 'x', many(length))]).toEqual([length, 'ask']);
    expect(says(noRm, 'x', { commands: ['ls', 'cat x'] })).toBe('leave');
  });

  test('is found in a list of words, as a shell would be given them', () => {
    const denied = (command: string, list: unknown) =>
      says([{ command, decision: 'deny' }], 'x', { argv: list });
    expect(denied('git push', ['git', 'push', 'x'])).toBe('deny');
    expect(denied("git it's", ['git', "it's"])).toBe('deny');
    expect(denied('git a;b', ['git', 'a;b'])).toBe('deny');
    expect(denied('git push', ['git', 'push x'])).toBe('ask');
    expect(denied('git push', ['git', 'log'])).toBe('leave');
    expect(denied('push', ['git', 'x; push'])).toBe('ask');
    expect(denied('rm*', [`x${' '.repeat(2)}`, 'rmdir'])).toBe('ask');
  });

  test('in a text that is too long is found by its first word', () => {
    const long = (command: string) =>
      says([{ command, decision: 'deny' }], 'x', { x: `${'a '.repeat(10_001)} RMDIR` });
    expect([long('rmdir x'), long('rm* x'), long('rmx'), long('Rm\tx')]).toEqual([
      'ask',
      'ask',
      'leave',
      'ask',
    ]);
  });

  test('is found in what a running program gets, which may be anything', () => {
    const typed = (input: object) => says(noRm, lent('process'), input, free);
    expect([typed({ action: 'write', data: 'rm x\n' }), typed({ action: 'paste', text: 'rm x' })]).toEqual([
      'deny',
      'deny',
    ]);
    expect([typed({ data: 'r' }), typed({ keys: ['r', 'm'] }), typed({ hex: ['72'] })]).toEqual([
      'ask',
      'ask',
      'ask',
    ]);
    expect(typed({ action: 'list' })).toBe('allow');
    expect(says(noRm, lent('exec'), { command: 'ls', env: { X: 'rm y' } }, free)).toBe('ask');
    for (const rule of [{ path: '~/.ssh' }, { host: 'evil.com' }])
      expect([rule, says([{ ...rule, decision: 'deny' }], lent('process'), { data: 'x' }, free)]).toEqual([
        rule,
        'ask',
      ]);
  });

  test('is not looked for in the words of a known tool', () => {
    expect(says(noRm, 'Write', { file_path: '/x', content: 'rm x' })).toBe('leave');
    expect(says(noRm, 'Bash', { command: 'ls', description: 'rm x' })).toBe('leave');
    expect(says(noRm, 'Monitor', { command: 'rm x', description: 'x', timeout_ms: 1 })).toBe('deny');
  });
});

test('a doubt says whether it is the command or a field that may be meant', () => {
  const noSsh = [{ path: '~/.ssh', decision: 'deny' }];
  const why = (tool: string, input: object) => ruling(noSsh, tool, input).why;
  expect(why('mcp__x__y', { source: id })).toBe('rule 1 (deny) may fit, as a field may mean what it names');
  const running = 'rule 1 (deny) may fit, which cannot be told without running it';
  expect([why('Bash', { command: 'cat $X' }), why('Bash', { command: 'cat "' })]).toEqual([running, running]);
});

test('a near miss is told to those who are asked, by the name of the field', () => {
  const given = [
    { command: 'ls', decision: 'allow' },
    { tool: 'exec', command: 'git status', decision: 'allow' },
    { path: '/w/p', host: 'good.com', decision: 'allow' },
  ];
  const why = (tool: string, input: object) => ruling(given, tool, input).why;
  const asked = "no rule fits, and the hub's `exec` may change something";
  const exec = { command: 'git status' };
  expect(why(lent('exec'), { ...exec, env: { A: 'b', C: 'd' } })).toBe(
    `${asked}; rule 2 allows \`git status\`, but not with \`env.A\``,
  );
  expect(why(lent('exec'), { ...exec, elevated: true })).toBe(
    `${asked}; rule 2 allows \`git status\`, but not with \`elevated\``,
  );
  expect(why(lent('exec'), { ...exec, 'a`b': 'x' })).toBe(
    `${asked}; rule 2 allows \`git status\`, but not with a field of an unusual name`,
  );
  expect(why(lent('exec'), { command: 'git push', elevated: true })).toBe(asked);
  expect(why('Bash', { command: 'ls', dangerouslyDisableSandbox: true })).toBe(
    'no rule fits: Claude Code decides, by its permission mode; rule 1 allows `ls`, but not with `dangerouslyDisableSandbox`',
  );
  const both = { path: '/w/p/a', url: 'https://good.com', x: 'y' };
  expect(why('mcp__x__y', both)).toContain('; rule 3 allows `/w/p` and `good.com`, but not with `x`');
  expect(why('mcp__x__y', { path: '/w/p/a', x: 'y' })).not.toContain('rule 3');
  const others = [
    { tool: 'Bash', command: 'ls', decision: 'allow' },
    { tool: 'mcp__x__*', command: 'ls', sandboxed: true, decision: 'allow' },
  ];
  expect(ruling(others, 'mcp__x__y', { command: 'ls', x: 'y' }).why).not.toMatch(/rule \d/);
  expect(why('mcp__x__y', { path: '/x', url: 'https://good.com' })).not.toMatch(/rule \d/);
  for (const name of ['$a', 'a$', 'a'.repeat(61)])
    expect(why(lent('exec'), { ...exec, [name]: 'x' })).toContain('a field of an unusual name');
  expect(why(lent('exec'), { ...exec, ['a'.repeat(60)]: 'x' })).toContain(`\`${'a'.repeat(60)}\``);
  // What allows the whole tool says nothing of a command that nobody can read.
  expect(ruling([{ decision: 'allow' }], 'Bash', { command: 'ls "', x: 1 }).why).not.toMatch(/rule \d/);
  expect(ruling(given, 'Bash', { command: '# ls' }).decision).toBe('leave');
  // Who is denied is not asked, and what is allowed needs no word.
  const denied = [given[0] ?? {}, { decision: 'deny' }];
  expect(ruling(denied, 'Bash', { command: 'ls', x: 'y' }).why).toBe('rule 2 (deny)');
  const let_ = [given[0] ?? {}, { decision: 'allow' }];
  expect(ruling(let_, 'Bash', { command: 'ls', x: 'y' }).why).toBe('rule 2 (allow)');
  const asks = [given[0] ?? {}, { decision: 'ask' }];
  expect(ruling(asks, 'Bash', { command: 'ls', x: 'y' }).why).toBe(
    'rule 2 (ask); rule 1 allows `ls`, but not with `x`',
  );
});

const someTool = fc.constantFrom(
  'Bash',
  'Write',
  'WebFetch',
  'mcp__x__y',
  lent('exec'),
  lent('message'),
  lent('new'),
);
const someRules = fc.array(
  fc.record<PolicyRule>(
    {
      command: fc.constantFrom('ls', 'rm', 'git *'),
      path: fc.constantFrom('/w/p', '~/.ssh', '**/x'),
      host: fc.constantFrom('good.com', '*.evil.com', '*'),
      decision: fc.constantFrom('allow', 'ask', 'deny'),
    },
    { requiredKeys: ['decision'] },
  ),
  { maxLength: 5 },
);
const someInput = fc.record(
  {
    command: fc.constantFrom('ls', 'ls; rm x', '$X'),
    path: fc.constantFrom('/w/p/a', '~/.ssh/id', 'a'),
    file_path: fc.constantFrom('/w/p/a', '~/.ssh/id'),
    url: fc.constantFrom('https://good.com', 'https:/a.evil.com', 'x'),
    content: fc.constantFrom('x', '/w/p'),
    env: fc.constant({ A: 'b' }),
  },
  { requiredKeys: [] },
);

test('an unknown field never lets a call through that is stopped without it', () => {
  fc.assert(
    fc.property(someRules, someTool, someInput, fc.string(), (given, tool, input, text) => {
      const decide = (whole: object) =>
        strength(judge(given, claudeCall(tool, whole), about, place).decision);
      const before = decide(input);
      expect(decide({ ...input, notKnownYet: text })).toBeGreaterThanOrEqual(before);
    }),
    { numRuns: runs(500) },
  );
});

test('whatever an input is, it is judged', () => {
  fc.assert(
    fc.property(
      someRules,
      someTool,
      fc.anything({ maxDepth: 4, withBigInt: true, withNullPrototype: true, withSparseArray: true }),
      (given, tool, input) => {
        expect(judge(given, claudeCall(tool, input), about, place)).toHaveProperty('decision');
      },
    ),
    { numRuns: runs(500) },
  );
});

test('a call is judged in time that grows with its size alone', () => {
  const given = rules(
    ...Array.from({ length: 20 }, (_, at) => ({ path: `/deny/${at}`, host: `h${at}.com`, decision: 'deny' })),
  );
  const time = (tool: string, input: object, times: number) => {
    const from = performance.now();
    for (let at = 0; at < times; at += 1) judge(given, claudeCall(tool, input), about, place);
    return (performance.now() - from) / times;
  };
  const text = (n: number) => ({ x: 'some/words of a.text, and more '.repeat(n) });
  time('mcp__x__y', text(100), 5);
  // Generous: it is to see what grows as a square does.
  expect(time('mcp__x__y', text(20_000), 1)).toBeLessThan(2_000);
});
