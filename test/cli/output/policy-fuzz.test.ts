// What `policy fuzz` prints: tables that fit a terminal of 80 columns, and words for what they do not say.
import { describe, expect, test } from 'vitest';
import type { TriedRule } from '../../../src/bridge/policy/fuzz-policy.ts';
import { callsTable, fewOf, inWords, rulesTable } from '../../../src/cli/output/policy/fuzz-tables.ts';
import { ruler, width } from '../../../src/cli/text/width.ts';
import { PolicyRule } from '../../../src/protocol/settings/policy.ts';

const call = (number: number, input: unknown = { command: 'rm x' }) => ({
  number,
  tool: 'Bash',
  input,
  family: 'containers and machines',
  by: null,
});

const tried = (number: number, rule: object, counts: Partial<TriedRule> = {}): TriedRule => ({
  number,
  rule: PolicyRule.parse(rule),
  mode: 'manual',
  tried: 1200,
  held: 1200,
  left: 0,
  others: 0,
  unasked: [],
  isLate: false,
  ...counts,
});

const deny = { command: 'rm', decision: 'deny' };
const widest = (text: string) => Math.max(...text.split('\n').map(width));

describe('the table of the rules', () => {
  test('names each by its number, decision and what it is about', () => {
    const rules = [
      tried(1, deny, { held: 1100, left: 97, unasked: Array.from({ length: 3 }, () => call(1)) }),
      tried(2, { path: '~/.ssh', tool: ['Read', 'read'], decision: { quorum: 2 } }),
      tried(13, { host: 'evil.com', decision: 'operator' }),
    ];
    expect(rulesTable(rules, ruler, 80).split('\n')).toEqual([
      'RULE                                TRIED  ASKED OR DENIED  LEFT  UNASKED',
      '1 deny command rm                   1200   1100             97    3',
      '2 quorum 2 path ~/.ssh (Read, rea…  1200   1200             0     0',
      '13 operator host evil.com           1200   1200             0     0',
    ]);
  });

  test.for([66, 80, 200])('fits %s columns, however long a rule is', (columns) => {
    const rules = [tried(1, { command: `${'long '.repeat(60)}\u202e漢字`, decision: 'deny' })];
    expect(widest(rulesTable(rules, ruler, columns))).toBeLessThanOrEqual(columns);
  });
});

describe('the table of the calls', () => {
  test('shows a command, a path or an address as it is, and other fields as JSON', () => {
    const calls = [
      call(1),
      call(2, { path: '/x' }),
      call(3, { source: '/x' }),
      call(4, { url: 'u', a: true }),
    ];
    expect(callsTable(calls, ruler, 80).split('\n')).toEqual([
      'RULE  TOOL  UNASKED               KIND',
      '1     Bash  rm x                  containers and machines',
      '2     Bash  /x                    containers and machines',
      '3     Bash  {"source":"/x"}       containers and machines',
      '4     Bash  {"url":"u","a":true}  containers and machines',
    ]);
  });

  test('is cut to the terminal, and whole without one', () => {
    const calls = [call(1, { command: `rm ${'x\n'.repeat(200)}` })];
    expect(widest(callsTable(calls, ruler, 80))).toBe(80);
    expect(widest(callsTable(calls, ruler))).toBeGreaterThan(400);
  });

  test('has of every rule as many calls as of the others, in their order', () => {
    const calls = [1, 1, 1, 1, 2, 3, 3].map((number) => call(number));
    const numbers = (most: number) => fewOf(calls, most).map(({ number }) => number);
    expect(numbers(3)).toEqual([1, 2, 3]);
    expect(numbers(5)).toEqual([1, 1, 2, 3, 3]);
    expect(numbers(99)).toEqual([1, 1, 1, 1, 2, 3, 3]);
  });
});

describe('the words below', () => {
  test('say that there are no rules, and what to do', () => {
    expect(inWords([]).join(' ')).toMatch(/no rules.*`synthesis config set policy`/);
  });

  test('say how many would run unasked, or that none would', () => {
    expect(inWords([tried(1, deny)])).toEqual(['None of 1200 calls would run unasked. Nothing was run.']);
    expect(inWords([tried(1, deny, { unasked: [call(1)] })])[0]).toMatch(
      /^1 of 1200 calls would run unasked;/,
    );
  });

  test('say what left means in the mode of the session', () => {
    const words = (mode: TriedRule['mode']) => inWords([tried(1, deny, { mode, left: 3 })]).join(' ');
    expect(words('manual')).toMatch(/\(manual\): it asks, except/);
    expect(words('dontAsk')).toMatch(/\(dontAsk\): it denies/);
  });

  test('say which rules were not tried, and why', () => {
    const late = { tried: 0, held: 0, why: 'there was no time for it', isLate: true };
    const none = { tried: 0, held: 0, why: 'it names no command, path or host' };
    const words = inWords([tried(1, deny, late), tried(2, { decision: 'ask' }, none), tried(3, deny, late)]);
    expect(words).toEqual([
      'Not tried: rules 1, 3: there was no time for it.',
      'Not tried: rule 2: it names no command, path or host.',
      'Nothing was tried. `synthesis policy test` says what decides about one call.',
    ]);
  });

  test('say that what is beside an allowed call passes by default', () => {
    expect(inWords([tried(1, deny, { others: 1 })])[1]).toMatch(/^1 call beside .* passes by default/);
  });
});
