// Every kind that gitleaks and secretlint know by name is found, or it is said why not.
import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import { expect, test } from 'vitest';
import { kindOf } from './kind-of.ts';
import { gitleaks, others, secretlint } from './published-kinds.ts';

const all = [...gitleaks, ...secretlint, ...others];

test.each(all.filter(({ sample }) => sample).map((each) => [each.rule, each] as const))(
  '%s is found',
  (_, each) => {
    expect(kindOf(each)).toBeDefined();
  },
);

test.each(all.filter(({ sample }) => !sample))('it is said why $rule is not', ({ why }) => {
  expect(why?.length).toBeGreaterThan(10);
});

test('none of the rules is there twice', () => {
  for (const list of [gitleaks, secretlint, others])
    expect(new Set(list.map(({ rule }) => rule)).size).toBe(list.length);
});

test('a rule that secretlint has got since would be noticed', () => {
  const known = new Set(secretlint.map(({ rule }) => rule));
  const names = rules.map(({ meta }) => meta.id.replace('@secretlint/secretlint-rule-', ''));
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !known.has(name))).toEqual([]);
});
