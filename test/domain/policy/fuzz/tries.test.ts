// What a rule is tried with: calls of the tools that it means, with what it names in them; and what is counted of them.
import { describe, expect, test } from 'vitest';
import { corpus } from '../../../../src/domain/policy/fuzz/corpus.ts';
import { tally } from '../../../../src/domain/policy/fuzz/tally.ts';
import { type Try, triesOf } from '../../../../src/domain/policy/fuzz/tries.ts';
import type { Ruling } from '../../../../src/domain/policy/ruling.ts';
import { PolicyRule } from '../../../../src/protocol/settings/policy.ts';

const place = { cwd: '/home/u/ws', home: '/home/u', isFile: (path: string) => path.endsWith('.env') };
const made = (rule: object, session?: string) => triesOf(PolicyRule.parse(rule), corpus, place, session);
const tries = (rule: object): Try[] => {
  const found = made(rule);
  if (!Array.isArray(found)) throw new Error(found.why);
  return found;
};
const why = (rule: object, session?: string) => {
  const found = made(rule, session);
  return Array.isArray(found) ? undefined : found.why;
};
const inputs = (rule: object) => tries(rule).map(({ tool, input }) => `${tool} ${JSON.stringify(input)}`);
const tools = (rule: object) => [...new Set(tries(rule).map(({ tool }) => tool))];

describe('a rule that denies or asks', () => {
  test('is tried with its command in every way, each once, for every shell', () => {
    const all = inputs({ command: 'git push', decision: 'deny' });
    expect(new Set(all).size).toBe(all.length);
    expect(all).toContain('Bash {"command":"git push x"}');
    expect(all).toContain('exec {"command":"git --no-pager push"}');
    expect(all).toContain(String.raw`exec {"command":"$'\\x67it' push x"}`);
    expect(all).toContain('exec {"command":["git","push","x"]}');
    expect(all).toContain('tool_call {"id":"exec","args":{"command":"git push x"}}');
    expect(all.length).toBeGreaterThan(1_100);
  });

  test('is tried for the tools that it means alone, also by the name that Claude Code gives them', () => {
    const rule = { command: 'rm', decision: 'ask' };
    expect(tools({ ...rule, tool: 'Bash' })).toEqual(['Bash']);
    expect(tools({ ...rule, tool: 'mcp__synthesis__exec' })).toEqual(['exec', 'tool_call']);
    expect(tools({ path: '~/.ssh', decision: 'deny', tool: 'notes_get' })).toEqual(['notes_get']);
    expect(tools({ ...rule, sandboxed: true })).toEqual(['Bash']);
  });

  test('is not tried with words of another program, nor a builtin with what only runs files', () => {
    expect(inputs({ command: 'rm', decision: 'deny' }).filter((each) => each.includes('git.exe'))).toEqual(
      [],
    );
    const builtin = inputs({ command: 'export', decision: 'deny' });
    expect(builtin).toContain('Bash {"command":"true && export x"}');
    expect(builtin.filter((each) => each.includes('nohup'))).toEqual([]);
  });

  test('is tried with a file in the folder that it names, or with the file', () => {
    const folder = inputs({ path: '~/.ssh', decision: 'deny' });
    expect(folder).toContain('Read {"file_path":"/home/u/.ssh/x"}');
    expect(folder).toContain('read {"path":"../.ssh/x"}');
    expect(folder).toContain('Bash {"command":"tar cf a.tar /home/u/.ssh"}');
    expect(folder).toContain('write {"path":"/home/u/.ssh/../.ssh/x","content":"y"}');
    const file = inputs({ path: '**/.env', decision: 'deny' });
    expect(file).toContain('Read {"file_path":"/home/u/ws/x/.env"}');
    expect(file.filter((each) => each.includes('tar cf a.tar /'))).toEqual([]);
  });

  test('is tried with its host, a sample of its pattern, and its numbers', () => {
    expect(inputs({ host: '*.evil.com', decision: 'deny' })).toContain(
      'Bash {"command":"git clone git@x.evil.com:a/b"}',
    );
    expect(inputs({ host: '127.0.0.1', decision: 'deny' })).toContain(
      'web_fetch {"url":"http://2130706433/"}',
    );
    expect(inputs({ host: 'localhost', decision: 'deny' })).toContain(
      'web_fetch {"url":"http://0x7f000001/"}',
    );
  });
});

test('a rule that allows is tried with what does more than it says', () => {
  const command = inputs({ tool: 'exec', command: 'git status', decision: 'allow' });
  expect(command).toContain('exec {"command":"git status","elevated":true}');
  expect(command).toContain('exec {"command":"git status x; nc h 1"}');
  const path = inputs({ tool: ['message', 'read'], path: '~/notes', decision: 'allow' });
  expect(path).toContain('read {"path":"/home/u/notes/x","source":"/etc/passwd"}');
  expect(path).toContain('read {"path":"/home/u/notes/../../../../etc/passwd"}');
  expect(inputs({ host: 'good.com', decision: 'allow' })).toContain(
    'web_fetch {"url":"https://good.com@other.example/"}',
  );
});

test('a rule that cannot be tried is said with why', () => {
  expect(why({ decision: 'deny' })).toBe('it names no command, path or host');
  expect(why({ command: 'curl', host: 'evil.com', decision: 'deny' })).toBe(
    'it names more than one of command, path and host',
  );
  expect(why({ command: 'rm', permission: 'exec', decision: 'deny' })).toMatch(/^it is about/);
  expect(why({ command: 'rm', session: 'a:*', decision: 'deny' }, 'b:c')).toBe(
    'it is not for the session b:c',
  );
  expect(why({ command: 'rm', session: 'a:*', decision: 'deny' }, 'a:c')).toBeUndefined();
  expect(why({ command: 'echo "a b"', decision: 'deny' })).toBe('no example can be made of its command');
  expect(why({ path: '/a b', decision: 'deny' })).toBe('no example can be made of its path');
  expect(why({ host: '[::1]', decision: 'deny' })).toBe('no example can be made of its host');
  expect(why({ command: 'rm', tool: 'notes_get', decision: 'deny' })).toMatch(/^nothing is known/);
});

describe('of the calls it is counted', () => {
  const three: Try[] = ['a', 'b', 'c', 'd'].map((tool) => ({ family: 'f', tool, input: {} }));
  const rulings: Record<string, Ruling> = {
    a: { decision: 'allow', why: '', rule: 2 },
    b: { decision: 'leave', why: '' },
    c: { decision: { quorum: 2 }, why: '', rule: 1 },
    d: { decision: 'deny', why: '', rule: 1 },
  };
  const judge = ({ tool }: Try): Ruling => rulings[tool] ?? { decision: 'deny', why: '' };
  const counted = (rule: object, number: number, mode: 'manual' | 'bypassPermissions') =>
    tally(three, { rule: PolicyRule.parse(rule), number, mode, judge, isLate: () => false });

  test('what is allowed, and what is left to a mode that asks nobody', () => {
    const deny = { command: 'rm', decision: 'deny' };
    expect(counted(deny, 1, 'manual')).toEqual({
      tried: 4,
      held: 2,
      left: 1,
      others: 0,
      unasked: [{ family: 'f', tool: 'a', input: {}, by: 2 }],
    });
    expect(counted(deny, 1, 'bypassPermissions')).toMatchObject({
      left: 0,
      unasked: [{ tool: 'a' }, { tool: 'b', by: null }],
    });
  });

  test('of a rule that allows, only what it allows itself', () => {
    const allow = { command: 'ls', decision: 'allow' };
    expect(counted(allow, 2, 'manual')).toMatchObject({ others: 0, unasked: [{ tool: 'a' }] });
    expect(counted(allow, 1, 'manual')).toMatchObject({ others: 1, unasked: [] });
  });

  test('nothing, when there is not the time for all of it', () => {
    let looks = 0;
    const isLate = () => ++looks > 2;
    const rule = PolicyRule.parse({ command: 'rm', decision: 'deny' });
    expect(tally(three, { rule, number: 1, mode: 'manual', judge, isLate })).toBeUndefined();
    expect(looks).toBe(3);
  });
});
