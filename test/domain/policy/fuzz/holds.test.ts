// The whole corpus against one rule and an `allow` behind it: nothing of it runs unasked.
import { expect, test } from 'vitest';
import { claudeCall } from '../../../../src/domain/policy/call.ts';
import { corpus } from '../../../../src/domain/policy/fuzz/corpus.ts';
import { tally } from '../../../../src/domain/policy/fuzz/tally.ts';
import { type Try, triesOf } from '../../../../src/domain/policy/fuzz/tries.ts';
import { judge } from '../../../../src/domain/policy/judge.ts';
import { claudeTools } from '../../../../src/domain/policy/review.ts';
import { PolicyRule } from '../../../../src/protocol/settings/policy.ts';

const home = '/home/u';
const cwd = `${home}/ws`;
const about = { session: 's', unattended: false, mode: 'manual' } as const;

/** Calls that run unasked: commands as they are, other inputs as JSON. */
function unasked(given: object): string[] {
  const rule = PolicyRule.parse(given);
  const others = [rule.decision === 'allow' ? { decision: 'deny', unattended: true } : { decision: 'allow' }];
  const rules = [rule, ...others.map((each) => PolicyRule.parse(each))];
  const tries = triesOf(rule, corpus, { cwd, home, isFile: (path) => /\/\.env$|\.db$/.test(path) });
  if (!Array.isArray(tries)) throw new Error(tries.why);
  const ruled = ({ tool, input }: Try) => {
    const lent = !claudeTools.has(tool) && !tool.startsWith('mcp__');
    const place = { cwd: lent ? undefined : cwd, home, real: (path: string) => path };
    return judge(rules, lent ? { tool, input, lent } : claudeCall(tool, input), about, place);
  };
  const found = tally(tries, { rule, number: 1, mode: 'manual', judge: ruled, isLate: () => false });
  const words = found?.unasked.map(({ input }) => {
    const [only, ...more] = Object.values(input as object);
    return more.length === 0 && typeof only === 'string' ? only : JSON.stringify(input);
  });
  return [...new Set(words)];
}

const rules: readonly object[] = [
  { command: 'rm', decision: 'deny' },
  { command: 'git push', decision: 'deny' },
  { command: 'docker compose down', decision: { quorum: 2 } },
  { command: 'npm publish', decision: 'operator' },
  { command: './deploy.sh', decision: 'deny' },
  { path: '~/.ssh', decision: 'deny' },
  { path: '**/.env', decision: 'ask' },
  { path: '/srv/data/*.db', decision: 'deny' },
  { host: 'evil.com', decision: 'deny' },
  { host: '*.evil.com', decision: 'deny' },
  { host: '10.1.2.3', decision: 'deny' },
  { tool: ['Bash', 'exec'], command: 'git status', decision: 'allow' },
  { tool: 'web_fetch', host: 'good.com', decision: 'allow' },
  { tool: ['message', 'write', 'apply_patch'], path: '~/notes', decision: 'allow' },
];

test.for(rules)('%j', (rule) => {
  expect(unasked(rule)).toEqual([]);
});
