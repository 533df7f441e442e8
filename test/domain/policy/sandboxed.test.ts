// Rules about commands in Claude Code's sandbox: what is not known is not taken for true.
import { describe, expect, test } from 'vitest';
import { type Call, claudeCall, inSandbox } from '../../../src/domain/policy/call.ts';
import { judge } from '../../../src/domain/policy/judge.ts';
import { review } from '../../../src/domain/policy/review.ts';
import { about, lent, place, rules } from './says.ts';

const allow = [{ sandboxed: true, decision: 'allow' }];
const denyOutside = [{ tool: 'Bash', sandboxed: false, decision: 'deny' }];
const ls = { command: 'ls -l' };

const ruled = (given: object[], call: Call, inForce: boolean | undefined) =>
  judge(rules(...given), inSandbox(call, inForce), about, place);
const said = (given: object[], input: unknown, inForce: boolean | undefined, tool = 'Bash') =>
  ruled(given, claudeCall(tool, input), inForce).decision;

describe.each<[name: string, input: unknown, inForce: boolean | undefined, allowed: string, denied: string]>([
  ['a command in it', ls, true, 'allow', 'leave'],
  ['one that says that it stays', { ...ls, dangerouslyDisableSandbox: false }, true, 'allow', 'leave'],
  ['one that asks to leave', { ...ls, dangerouslyDisableSandbox: true }, true, 'leave', 'deny'],
  ['one that asks in another way', { ...ls, dangerouslyDisableSandbox: 'true' }, true, 'leave', 'deny'],
  ['a command without one', ls, false, 'leave', 'deny'],
  ['one of which nobody knows', ls, undefined, 'leave', 'ask'],
  ['a preview of one', '{"command":"ls', true, 'leave', 'ask'],
])('%s', (_, input, inForce, allowed, denied) => {
  test(`is answered ${allowed} where the sandbox allows, and ${denied} where nothing else may run`, () => {
    expect([said(allow, input, inForce), said(denyOutside, input, inForce)]).toEqual([allowed, denied]);
  });
});

test.each(['Write', 'WebFetch', 'mcp__other__bash', lent('Bash'), lent('exec')])(
  '%s is never in the sandbox',
  (tool) => {
    expect(said(allow, ls, true, tool)).toBe(tool.startsWith('mcp__synthesis__') ? 'ask' : 'leave');
    expect(said([{ sandboxed: false, decision: 'deny' }], ls, true, tool)).toBe('deny');
  },
);

test('the reason names the sandbox, and a denial before it still holds', () => {
  expect(ruled(allow, claudeCall('Bash', ls), true).why).toBe('rule 1 (allow), as it runs in the sandbox');
  expect(ruled([{ sandboxed: false, decision: 'deny' }], claudeCall('Bash', ls), false).why).toBe(
    'rule 1 (deny), as it does not run in the sandbox',
  );
  const rm = { command: 'ls; rm x' };
  expect(said([{ command: 'rm', decision: 'deny' }, ...allow], rm, true)).toBe('deny');
  expect(said([{ command: 'rm', decision: 'ask' }, ...allow], { command: '$X y' }, true)).toBe('ask');
});

test('the review knows a rule that can never fit, and one behind another', () => {
  const words = (...given: object[]) => review(rules(...given), 0).map(({ words }) => words);
  expect(words({ tool: 'Write', sandboxed: true, decision: 'allow' })).toEqual([
    'it never fits: only `Bash` runs in the sandbox',
  ]);
  expect(words({ tool: ['B*', 'Write'], sandboxed: true, decision: 'allow' })).toEqual([]);
  const inside = { tool: 'Bash', sandboxed: true, decision: 'ask' };
  expect(words({ tool: 'Bash', decision: 'ask' }, inside)).toHaveLength(1);
  expect(words(inside, { tool: 'Bash', decision: 'deny' })).toEqual([]);
});
