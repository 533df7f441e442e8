// Records which of the ordinary commands ask under the judge of another checkout:
//   git worktree add /tmp/before 17071c03 && ln -s $PWD/node_modules /tmp/before/node_modules
//   node scripts/record-ordinary.ts /tmp/before 17071c03 > test/domain/policy/ordinary-before.json
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ordinaryAbout, ordinaryPlace, ordinaryRules } from '../test/domain/policy/ordinary-rules.ts';

const [checkout, commit] = process.argv.slice(2);
if (checkout === undefined || commit === undefined)
  throw new Error('usage: node scripts/record-ordinary.ts <checkout> <commit>');
const load = (path: string) => import(join(resolve(checkout), 'src', path));
const { judge } = await load('domain/policy/judge.ts');
const { claudeCall } = await load('domain/policy/call.ts');
const { PolicyRule } = await load('protocol/settings/policy.ts');

const corpus: Record<string, string[]> = JSON.parse(
  readFileSync(new URL('../test/domain/policy/ordinary.json', import.meta.url), 'utf8'),
);
const asked = Object.fromEntries(
  Object.entries(ordinaryRules).map(([name, rules]) => {
    const parsed = rules.map((rule) => PolicyRule.parse(rule));
    const asks = (command: string) =>
      judge(parsed, claudeCall('Bash', { command }), ordinaryAbout, ordinaryPlace).decision !== 'allow';
    return [name, Object.values(corpus).flat().filter(asks)];
  }),
);
process.stdout.write(`${JSON.stringify({ commit, asked }, undefined, 2)}\n`);
