import { expect, test } from 'vitest';
import { review } from '../../../src/domain/policy/review.ts';
import { PolicyRule } from '../../../src/protocol/policy.ts';

const found = (given: object[], approvers = 0) =>
  review(
    given.map((rule) => PolicyRule.parse(rule)),
    approvers,
  ).map(({ rule, words }) => `${rule}: ${words}`);

test('a policy in which every rule can decide is left alone', () => {
  const given = [
    { path: '~/.ssh', decision: 'deny' },
    { tool: 'exec', command: 'git push', decision: 'operator' },
    { tool: ['Bash', 'exec'], command: 'git', decision: 'allow' },
    { session: 'agent:*', tool: 'exec', decision: { quorum: 2 } },
  ];
  expect(found(given, 2)).toEqual([]);
});

test('a rule behind one that fits all it fits never decides, and an allow that swallows a deny is said as such', () => {
  expect(
    found([
      { tool: 'exec', decision: 'ask' },
      { tool: 'exec', command: 'rm', decision: 'deny' },
    ]),
  ).toEqual(['2: it never decides: rule 1 fits first, whatever it fits']);
  const swallowed = ['2: it never holds: rule 1 allows all of it before it could deny'];
  expect(
    found([
      { tool: '*', decision: 'allow' },
      { tool: 'write', path: '/etc', decision: 'deny' },
    ]),
  ).toEqual(swallowed);
  expect(
    found([
      { command: 'git', decision: 'allow' },
      { command: 'git push', decision: 'deny' },
    ]),
  ).toEqual(swallowed);
  expect(
    found([
      { tool: 'write', path: '/w', decision: 'allow' },
      { tool: 'write', path: '/w/x', decision: 'deny' },
    ]),
  ).toEqual(swallowed);
  expect(
    found([
      { command: 'git', decision: 'allow' },
      { command: 'github', decision: 'deny' },
    ]),
  ).toEqual([]);
});

test('names that no tool has, and rules that cannot hold, are named', () => {
  expect(found([{ tool: 'bash', decision: 'deny' }])).toEqual(['1: no tool is known by the name "bash"']);
  expect(found([{ path: '/w', decision: 'allow' }])[0]).toContain('it allows no shell command');
  expect(found([{ sender: '7', decision: 'deny' }])[0]).toContain('does not hold for callers');
  expect(found([{ door: 'adopted', decision: 'allow' }])[0]).toContain('what Claude begins by itself');
  expect(found([{ unattended: true, decision: 'ask' }])[0]).toContain('it denies');
  expect(found([{ decision: { quorum: 3 } }], 2)[0]).toContain('no chat can bring 3 yeses');
});
