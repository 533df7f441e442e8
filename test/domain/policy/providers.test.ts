// What the policy says to a provider's tool: by what the operator grants it, whatever it is called.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tryPolicy } from '../../../src/bridge/policy/try-policy.ts';
import type { Call } from '../../../src/domain/policy/call.ts';
import { type Circumstances, judge } from '../../../src/domain/policy/judge.ts';
import { fitsPermission } from '../../../src/domain/policy/match/match-permission.ts';
import { granted } from '../../../src/domain/policy/provider-grants.ts';
import { review } from '../../../src/domain/policy/review.ts';
import { Config } from '../../../src/protocol/settings/config.ts';
import { PolicyRule } from '../../../src/protocol/settings/policy.ts';
import { about, place, rules } from './says.ts';

const notes = (permissions: string[], more: Partial<Call> = {}): Call => ({
  tool: 'notes_search',
  input: {},
  lent: true,
  provider: 'notes',
  permissions,
  ...more,
});
const ruling = (given: object[], call: Call, mode: Circumstances['mode'] = 'manual') =>
  judge(rules(...given), call, { ...about, mode }, place);
const says = (...given: Parameters<typeof ruling>) => ruling(...given).decision;

describe('where no rule fits', () => {
  test('a tool that only reads passes in every mode', () => {
    const why = 'no rule fits, and `notes_search` only reads (read:notes, read:*)';
    for (const mode of ['manual', 'dontAsk', 'bypassPermissions'] as const)
      expect(ruling([], notes(['read:notes', 'read:*']), mode)).toEqual({ decision: 'allow', why });
  });

  test('every other one asks, and says what for and of whom', () => {
    expect(ruling([], notes(['read:notes', 'write:notes', 'net']))).toEqual({
      decision: 'ask',
      why: 'no rule fits, and `notes_search` of the provider notes may do more than read (write:notes, net)',
    });
    expect(ruling([], notes([]))).toEqual({
      decision: 'ask',
      why: 'no rule fits, and `notes_search` of the provider notes has no permission that says what it does',
    });
    for (const permissions of [['exec'], []])
      expect([
        says([], notes(permissions), 'bypassPermissions'),
        says([], notes(permissions), 'dontAsk'),
      ]).toEqual(['allow', 'deny']);
  });

  test('the name of a tool of the hub’s says nothing', () => {
    expect(says([], notes(['write:memory'], { tool: 'memory_search', provider: 'memory' }))).toBe('ask');
    const wrapped = { tool: 'tool_call', provider: 'tool', input: { id: 'read', args: {} } };
    expect(says([], notes(['exec'], wrapped))).toBe('ask');
    expect(says([{ tool: 'read', decision: 'deny' }], notes(['read:x'], wrapped))).toBe('allow');
  });
});

describe('a rule about permissions', () => {
  const deny = (permission: unknown) => [{ permission, decision: 'deny' }];
  const allow = (permission: unknown) => [{ permission, decision: 'allow' }];

  test('that restricts needs one that it names, one that allows all of them', () => {
    const both = notes(['read:vault', 'write:vault']);
    expect([says(deny('write:*'), both), says(deny(['net', 'write:vault']), both)]).toEqual(['deny', 'deny']);
    expect([says(allow('write:*'), both), says(allow(['read:*', 'write:vault']), both)]).toEqual([
      'ask',
      'allow',
    ]);
    for (const decision of ['ask', 'operator', { quorum: 2 }])
      expect(says([{ permission: 'write:vault', decision }], both)).toEqual(decision);
  });

  test('that restricts one place holds for whoever is granted all of them, one that allows it does not', () => {
    expect(says(deny('write:vault'), notes(['write:*']))).toBe('deny');
    expect(says(deny('*:vault'), notes(['write:*']))).toBe('deny');
    expect(says(allow('write:vault'), notes(['write:*']))).toBe('ask');
    expect(says(deny('read:vault'), notes(['write:*']))).toBe('ask');
  });

  test('fits nothing that has none', () => {
    const exec: Call = { tool: 'exec', input: {}, lent: true };
    const bash: Call = { tool: 'Bash', input: { command: 'ls' }, lent: false };
    for (const pattern of ['*', 'exec', ['*']]) {
      expect(says(deny(pattern), exec)).toBe('ask');
      expect(says(deny(pattern), bash)).toBe('leave');
      expect(says(allow(pattern), notes([]))).toBe('ask');
      expect(says(deny(pattern), notes([]))).toBe('ask');
    }
  });

  test('is one with the rest of its rule', () => {
    const rule = { tool: 'mcp__synthesis__notes_*', permission: 'net', decision: 'deny' };
    expect(says([rule], notes(['net']))).toBe('deny');
    expect(says([rule], notes(['net'], { tool: 'web_get' }))).toBe('ask');
  });

  test('never allows what a restriction by the same words would stop, and misses nothing that it may mean', () => {
    const word = fc.stringMatching(/^[ab*]{0,6}$/);
    fc.assert(
      fc.property(word, word, fc.stringMatching(/^[ab]{0,6}$/), (pattern, grant, text) => {
        const may = (given: string) => fitsPermission(given, [text], false);
        if (may(pattern) && may(grant)) expect(fitsPermission(pattern, [grant], true)).toBe(true);
        if (fitsPermission(pattern, [grant], false))
          expect(fitsPermission(pattern, [grant], true)).toBe(true);
      }),
    );
    expect(fitsPermission('aa', ['a'], true)).toBe(false);
    expect(fitsPermission('a*b', ['b*'], true)).toBe(false);
  });

  test('names at least one, in words', () => {
    const isRule = (permission: unknown) => PolicyRule.safeParse({ permission, decision: 'deny' }).success;
    expect(['', [], [''], 1, 'net', ['read:*']].map(isRule)).toEqual([
      false,
      false,
      false,
      false,
      true,
      true,
    ]);
  });

  test('that allows covers none that restricts: that may fit by another permission of the tool', () => {
    const found = (first: string, second: string) =>
      review(rules({ permission: 'read:*', decision: first }, { permission: 'read:x', decision: second }), 0)
        .length;
    expect([found('allow', 'deny'), found('allow', 'allow'), found('deny', 'allow')]).toEqual([0, 1, 1]);
  });
});

describe('in the configuration', () => {
  const config = {
    ...Config.parse({
      providers: [
        { name: 'notes', command: ['x'], permissions: { search: ['read:notes'], 'add.*': ['write:notes'] } },
        { name: 'note', command: ['x'], tools: ['get.all'], permissions: { 'get.all': ['read:x'] } },
      ],
      policy: [{ permission: 'write:*', decision: 'operator' }],
    }),
    cwd: '/w',
  };
  const tried = (tool: string) =>
    tryPolicy(config, { session: 's', tool, input: {}, unattended: false }, '/home/u');

  test('a tool is tried with what is granted to it, by either of its names', () => {
    for (const name of ['notes_search', 'mcp__synthesis__notes_search'])
      expect(tried(name)).toMatchObject({ decision: 'allow', why: expect.stringContaining('read:notes') });
    expect(tried('note_get_all')).toMatchObject({
      decision: 'allow',
      why: expect.stringContaining('read:x'),
    });
  });

  test('the bridge’s own tool only reads', () => {
    expect(tried('synthesis_status')).toMatchObject({
      decision: 'allow',
      why: expect.stringContaining('read:status'),
    });
  });

  test('one that is offered by no provider is the hub’s', () => {
    for (const name of ['notes_drop', 'note_put', 'other_search'])
      expect(tried(name)).toMatchObject({ decision: 'ask', why: expect.stringContaining("the hub's") });
  });

  test('a pattern grants, and the rules see it', () => {
    expect(granted(config.providers[0]?.permissions ?? [], 'add.note')).toEqual(['write:notes']);
    expect(tried('notes_add.note')).toMatchObject({ decision: 'operator', rule: 1 });
  });

  test('a rule may name a tool of a provider, and not of what is none', () => {
    const found = (tool: string) => review(rules({ tool, decision: 'deny' }), 0, ['notes']).length;
    expect([found('notes_search'), found('notes'), found('notesearch')]).toEqual([0, 1, 1]);
  });
});
