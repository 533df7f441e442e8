// 300 commands of a coding day under rules that deny something else: none may be denied, and few may ask.
// What asked before the matchers were turned around is in ordinary-before.json (scripts/record-ordinary.ts).
import { expect, test } from 'vitest';
import { claudeCall } from '../../../src/domain/policy/call.ts';
import { judge } from '../../../src/domain/policy/judge.ts';
import { PolicyRule } from '../../../src/protocol/settings/policy.ts';
import commandsByKind from './ordinary.json' with { type: 'json' };
import before from './ordinary-before.json' with { type: 'json' };
import { type OrdinaryRules, ordinaryAbout, ordinaryPlace, ordinaryRules } from './ordinary-rules.ts';

const commands = Object.values(commandsByKind).flat();
/** Questions that all four rules together may cause above those of before: 5 % of the commands. */
const mayRiseBy = commands.length * 0.05;
const ruleSets = Object.keys(ordinaryRules) as OrdinaryRules[];

function judged(name: OrdinaryRules): { asked: string[]; denied: string[] } {
  const rules = ordinaryRules[name].map((rule) => PolicyRule.parse(rule));
  const asked: string[] = [];
  const denied: string[] = [];
  for (const command of commands) {
    const { decision } = judge(rules, claudeCall('Bash', { command }), ordinaryAbout, ordinaryPlace);
    if (decision === 'deny') denied.push(command);
    else if (decision !== 'allow') asked.push(command);
  }
  return { asked, denied };
}

const share = (count: number): string => `${((100 * count) / commands.length).toFixed(1)} %`;

test('there are 300 ordinary commands, in the shares of a coding day', () => {
  expect(new Set(commands).size).toBe(300);
  expect(
    Object.fromEntries(Object.entries(commandsByKind).map(([kind, { length }]) => [kind, length])),
  ).toEqual({
    reading: 105,
    git: 75,
    builds: 60,
    rest: 60,
  });
});

test('what asked before was recorded of these commands', () => {
  const known = new Set(commands);
  expect(Object.keys(before.asked)).toEqual(ruleSets);
  for (const name of ruleSets) expect(before.asked[name].filter((each) => !known.has(each))).toEqual([]);
});

test.for(ruleSets)('no ordinary command is denied by the rules: %s', (name) => {
  const { asked, denied } = judged(name);
  console.info(
    `ordinary commands that ask, ${name}: ${share(asked.length)} (${before.commit}: ${share(before.asked[name].length)})`,
  );
  expect(denied).toEqual([]);
});

test('what asks under all four rules together rose by at most 5 % of the commands', () => {
  const name = 'all four';
  const known = new Set(before.asked[name]);
  const { asked } = judged(name);
  const rose = asked.length - known.size;
  expect(rose, `newly asked:\n${asked.filter((each) => !known.has(each)).join('\n')}`).toBeLessThanOrEqual(
    mayRiseBy,
  );
});
