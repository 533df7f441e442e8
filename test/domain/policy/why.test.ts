// Which rule decides and what it says for itself, for those who read `policy test` and the answer to a denied call.
import { describe, expect, test } from 'vitest';
import { claudeCall, claudeName, unwrapped } from '../../../src/domain/policy/call.ts';
import { catalogue } from '../../../src/domain/policy/defaults.ts';
import { judge } from '../../../src/domain/policy/judge.ts';
import {
  asks,
  decisionWords,
  needsOf,
  ruleWords,
  strength,
  strictest,
} from '../../../src/domain/policy/ruling.ts';
import type { PolicyDecision } from '../../../src/protocol/settings/policy.ts';
import { about, lent, place, rules, ruling, says } from './says.ts';

const looking =
  `agents_list agents_wait ask_user conversations_list get_goal github_identity_status ls memory_get
  memory_search read reply session_status sessions_history sessions_list sessions_search sessions_yield tool_describe
  tool_search view_image web_search`.split(/\s+/);

describe('where no rule fits', () => {
  test.for(looking)('the hub’s %s only looks, and passes in every mode', (tool) => {
    const why = `no rule fits, and the hub's \`${tool}\` changes nothing`;
    for (const mode of ['manual', 'dontAsk', 'bypassPermissions'] as const)
      expect(ruling([], lent(tool), {}, { mode })).toEqual({ decision: 'allow', why });
    expect(catalogue.has(tool)).toBe(true);
  });

  test('what the hub lends else asks, or hears why not', () => {
    const said = (mode: 'manual' | 'dontAsk' | 'bypassPermissions') => ruling([], lent('exec'), {}, { mode });
    expect(said('manual')).toEqual({
      decision: 'ask',
      why: "no rule fits, and the hub's `exec` may change something",
    });
    expect(said('bypassPermissions')).toEqual({
      decision: 'allow',
      why: 'no rule fits, and this session asks nobody (bypassPermissions)',
    });
    expect(said('dontAsk')).toEqual({
      decision: 'deny',
      why: 'no rule fits, and this session asks nobody (dontAsk)',
      reason: 'this session asks nobody, and no rule of the policy allows it',
    });
  });

  test('Claude Code decides about its own, also about one that is called like the hub’s', () => {
    const why = 'no rule fits: Claude Code decides, by its permission mode';
    for (const tool of ['Bash', 'read', 'exec', 'mcp__synthesis', 'x__mcp__synthesis__exec'])
      expect([tool, ruling([], tool, {})]).toEqual([tool, { decision: 'leave', why }]);
  });

  test('every tool that OpenClaw changes something with is known by name', () => {
    for (const tool of ['apply_patch', 'exec', 'gateway', 'message', 'process', 'tool_call', 'write', 'tts'])
      expect([tool, catalogue.has(tool)]).toEqual([tool, true]);
    expect([catalogue.has(''), catalogue.has('Exec'), catalogue.size]).toEqual([false, false, 55]);
  });
});

describe('the rule that decides', () => {
  const noted = { tool: 'exec', decision: 'deny', reason: 'not here' };

  test('is named by its number, with what it says itself', () => {
    expect(ruling([{ tool: 'Read', decision: 'ask' }, noted], lent('exec'), {})).toEqual({
      decision: 'deny',
      rule: 2,
      why: 'rule 2 (deny)',
      reason: 'not here',
    });
    expect(ruling([{ decision: { quorum: 3 } }], 'Read', {})).toEqual({
      decision: { quorum: 3 },
      rule: 1,
      why: 'rule 1 (ask 3 people)',
    });
    expect(ruling([{ decision: 'ask' }], 'Read', {})).toStrictEqual({
      decision: 'ask',
      why: 'rule 1 (ask)',
      rule: 1,
    });
    expect(ruling([{ decision: 'operator' }], 'Read', {}).why).toBe('rule 1 (ask the operator)');
  });

  test('is the strictest of those for the commands of a script, and the first of equals', () => {
    const given = [
      { command: 'ls', decision: 'allow' },
      { command: 'cat', decision: 'operator', reason: 'first' },
      { command: 'head', decision: 'operator', reason: 'second' },
      { command: 'wc', decision: 'deny' },
    ];
    const said = (command: string) => ruling(given, 'Bash', { command });
    expect(said('ls; ls')).toMatchObject({ decision: 'allow', rule: 1 });
    expect(said('ls; cat; head')).toMatchObject({ decision: 'operator', rule: 2, reason: 'first' });
    expect(said('head; cat; ls')).toMatchObject({ decision: 'operator', rule: 3 });
    expect(said('cat; wc; ls')).toMatchObject({ decision: 'deny', rule: 4 });
    expect(said('ls; tail').decision).toBe('leave');
  });

  test('says of which program nothing is known, unless its name is an odd one', () => {
    const why = (command: string) => ruling([{ command: 'rm', decision: 'deny' }], 'Bash', { command }).why;
    const nothing = (program: string) =>
      `rule 1 (deny) may fit, as nothing is known of what \`${program}\` does with these words`;
    const untold = 'rule 1 (deny) may fit, which cannot be told without running it';
    expect(why('npm test')).toBe(nothing('npm'));
    expect(why('/opt/x/my-tool+1.2 y')).toBe(nothing('/opt/x/my-tool+1.2'));
    expect(why(`${'x'.repeat(40)} y`)).toBe(nothing('x'.repeat(40)));
    expect(why(`${'x'.repeat(41)} y`)).toBe(untold);
    expect(why("'a `b' c")).toBe(untold);
    expect(why('mv x y')).toBe(untold);
    expect(why('$X y')).toBe(untold);
  });

  test('says that it may fit where it cannot be told, and what is stricter behind it holds all the same', () => {
    const maybe = { command: 'rm', decision: 'deny', reason: 'kept' };
    const doubt = {
      decision: 'ask',
      rule: 1,
      why: 'rule 1 (deny) may fit, which cannot be told without running it',
      reason: 'kept',
    };
    const input = { command: '$X y' };
    expect(ruling([maybe], 'Bash', input)).toEqual(doubt);
    expect(ruling([maybe, { command: 'mv', decision: 'deny' }], 'Bash', input)).toEqual(doubt);
    expect(ruling([maybe, { decision: 'allow' }], 'Bash', input)).toEqual(doubt);
    expect(ruling([maybe, { decision: 'ask' }], 'Bash', input)).toMatchObject({ decision: 'ask', rule: 2 });
    expect(ruling([maybe, { decision: 'operator' }], 'Bash', input)).toMatchObject({ decision: 'operator' });
    expect(ruling([{ command: 'rm', decision: 'operator' }], 'Bash', input)).toMatchObject({
      decision: 'operator',
      rule: 1,
    });
    // What asks nobody, and would allow, does not outweigh the doubt.
    expect(ruling([maybe], lent('exec'), input, { mode: 'bypassPermissions' })).toEqual(doubt);
    expect(ruling([maybe], lent('exec'), input, { mode: 'dontAsk' }).decision).toBe('deny');
  });

  test('asks the file system once for each path, whatever number of rules and words there is', () => {
    const asked: string[] = [];
    const real = (path: string) => {
      asked.push(path);
      return path;
    };
    const many = rules(...['/x', '/y', '/z'].map((path) => ({ path, decision: 'deny' })));
    judge(many, claudeCall('Bash', { command: 'cat /a /a; cat /a' }), about, { ...place, real });
    expect(asked).toHaveLength(new Set(asked).size);
    expect(asked).toContain('/a');
  });
});

describe('a tool of the hub', () => {
  test('is meant by its own name and by the one that Claude Code gives it', () => {
    for (const tool of ['exec', 'mcp__synthesis__exec', 'mcp__*', '*', 'e*', ['Read', 'exec']])
      expect([tool, says([{ tool, decision: 'deny' }], lent('exec'), {})]).toEqual([tool, 'deny']);
    for (const tool of ['Exec', 'exe', 'mcp__other__exec', ['Read', 'Write']])
      expect([tool, says([{ tool, decision: 'deny' }], lent('exec'), {})]).toEqual([tool, 'ask']);
    expect(says([{ tool: 'mcp__synthesis__Read', decision: 'deny' }], 'Read', {})).toBe('leave');
    expect(claudeName('exec')).toBe(lent('exec'));
  });

  test('is found in what it is wrapped in, by every name that it may have there', () => {
    const call = (input: unknown, tool = 'tool_call') => unwrapped(claudeCall(lent(tool), input));
    expect(call({ id: 'a:b/c.d', args: { x: 1 } })).toEqual({
      tool: 'a:b/c.d',
      input: { x: 1 },
      lent: true,
      aliases: ['tool_call', 'a:b/c.d', 'd'],
    });
    expect(call({ id: ' exec ' }).aliases).toEqual(['tool_call', ' exec ', 'exec']);
    expect(call({ id: 'exec' })).toMatchObject({ tool: 'exec', input: {} });
    expect(call({ id: 'exec' }, 'other')).toMatchObject({ tool: 'other', aliases: ['other'] });
    for (const odd of [{ id: 7 }, {}, [], ['exec'], 'exec', null, undefined])
      expect([odd, call(odd)]).toMatchObject([odd, { tool: 'tool_call', aliases: ['tool_call', '*'] }]);
    expect(unwrapped(claudeCall('tool_call', { id: 'exec' }))).toMatchObject({
      tool: 'tool_call',
      lent: false,
      aliases: ['tool_call'],
    });
  });

  test('that is wrapped more than four times may be any, so every restriction holds for it', () => {
    const wrapped = (times: number): object =>
      times === 0 ? { id: 'read' } : { id: 'tool_call', args: wrapped(times - 1) };
    const given = [{ tool: 'exec', decision: 'deny' }];
    expect(says(given, lent('tool_call'), wrapped(3))).toBe('allow');
    expect(says(given, lent('tool_call'), wrapped(4))).toBe('deny');
    expect(says([{ tool: 'read', decision: 'allow' }], lent('tool_call'), wrapped(4))).toBe('ask');
  });

  test('works in the folder that its call names, if that says where it is', () => {
    const given = [{ path: '/home/u/.ssh', decision: 'deny' }];
    const said = (tool: string, workdir: unknown) => says(given, tool, { command: 'cat id', workdir });
    expect(said(lent('exec'), '/home/u/.ssh')).toBe('deny');
    expect(said(lent('exec'), '/home/u')).toBe('ask');
    expect(said(lent('exec'), '/tmp')).toBe('ask');
    const below = (tool: string, workdir: string) => says(given, tool, { command: 'cat .ssh/id', workdir });
    expect([below(lent('exec'), '/home/u'), below(lent('exec'), 'home/u')]).toEqual(['deny', 'ask']);
    // Claude Code's own has no such field: it stays where it is.
    expect(below('Bash', '/home/u')).toBe('ask');
    expect(said(lent('exec'), 7)).toBe('ask');
  });
});

describe('a rule for whom', () => {
  const fits = (rule: object, who: object) =>
    says([{ ...rule, decision: 'deny' }], 'Read', {}, who) === 'deny';

  test('is one for all in what it does not name, and fits when all that it names does', () => {
    const rule = { session: 'a*', door: 'agp', sender: '1', unattended: false };
    const who = { session: 'ab', door: 'agp', sender: '1', unattended: false };
    expect([fits(rule, who), fits({ session: 'a*' }, who), fits({ sender: '1' }, who)]).toEqual([
      true,
      true,
      true,
    ]);
    for (const other of [{ session: 'b' }, { door: 'openai' }, { sender: '2' }, { unattended: true }])
      expect([other, fits(rule, { ...who, ...other })]).toEqual([other, false]);
  });

  test('names a sender with or without the channel', () => {
    expect(fits({ sender: ':1' }, { sender: '1' })).toBe(true);
    expect(fits({ sender: 'undefined:1' }, { sender: '1' })).toBe(false);
    expect(fits({ sender: 'undefined' }, {})).toBe(false);
    expect(fits({ sender: 'telegram:undefined' }, { channel: 'telegram' })).toBe(false);
    expect(fits({ sender: 'telegram' }, { channel: 'telegram' })).toBe(false);
    expect(fits({ sender: '2' }, { sender: '1', channel: 'telegram' })).toBe(false);
  });
});

test('decisions are ordered by what it takes to get a call through, and said in words', () => {
  const all = ['allow', 'leave', 'ask', { quorum: 2 }, { quorum: 20 }, 'operator', 'deny'] as const;
  const strengths = all.map(strength);
  expect(strengths).toEqual([...strengths].sort((one, other) => one - other));
  expect(new Set(strengths).size).toBe(all.length);
  expect(all.map(decisionWords)).toEqual([
    'allow',
    "leave it to Claude Code's permission mode",
    'ask',
    'ask 2 people',
    'ask 20 people',
    'ask the operator',
    'deny',
  ]);
  const of = (decision: PolicyDecision | 'leave') => ({ decision, why: 'w' });
  expect(all.map((decision) => asks(of(decision)))).toEqual([false, false, true, true, true, true, false]);
  expect(all.map((decision) => needsOf(of(decision)))).toEqual([
    undefined,
    undefined,
    undefined,
    { quorum: 2 },
    { quorum: 20 },
    'operator',
    undefined,
  ]);
  expect([ruleWords(of('ask')), ruleWords({ ...of('ask'), reason: 'r' })]).toEqual(['w', 'w: r']);
  expect([strictest([]), strictest([of('ask'), of('deny'), of('allow')])]).toEqual([undefined, of('deny')]);
});
