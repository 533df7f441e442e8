// J1: what the policy costs for one call of an ordinary day. J2: how that grows with the command.
import { readFileSync } from 'node:fs';
import { claudeCall } from '../../src/domain/policy/call.ts';
import { type Circumstances, judge as judgeCall } from '../../src/domain/policy/judge.ts';
import { PolicyRule } from '../../src/protocol/settings/policy.ts';
import { compare } from '../harness/compare.ts';
import { fromBench } from '../harness/place.ts';
import { type Goal, judge, type Row } from '../harness/row.ts';

/** Of one round, milliseconds. */
const roundMs = 300;
const counts = { warmup: 3, counted: 9 };
const times = 10;
const fewCharacters = 2_000;

/** Milliseconds that the rules may take for a call. */
const mayTake = 0.2;

export const judgedGoal: Goal = {
  id: 'J1',
  what: 'one of 300 ordinary commands is judged by five rules',
  against: `JSON.parse of the same call, and ${mayTake} ms`,
  atMost: 1,
  whyNotYet: 'A command is read once for each rule, or every word is compared in more ways than it has.',
};
export const judgedGrowthGoal: Goal = {
  id: 'J2',
  what: `a command of ${times * fewCharacters} characters is judged by five rules`,
  against: `one of ${fewCharacters} characters`,
  atMost: times * 1.3,
  whyNotYet: 'A word is compared with what came before it.',
};

const rules = [
  { command: 'rm', decision: 'deny' },
  { path: '~/.ssh', decision: 'deny' },
  { command: 'git push', decision: 'deny' },
  { host: 'evil.com', decision: 'deny' },
  { decision: 'allow' },
].map((rule) => PolicyRule.parse(rule));
const about: Circumstances = { session: 's', unattended: false, mode: 'manual' };
const place = { cwd: '/home/u/ws', home: '/home/u', real: (path: string) => path };
const judged = (command: string) => judgeCall(rules, claudeCall('Bash', { command }), about, place);

const ordinary = Object.values(
  JSON.parse(readFileSync(fromBench('../test/domain/policy/ordinary.json'), 'utf8')) as Record<
    string,
    string[]
  >,
).flat();

/** Milliseconds for each of the texts, which are worked at again and again. */
function perCall(texts: readonly string[], work: (text: string) => unknown): number {
  const begun = performance.now();
  let passes = 0;
  for (; performance.now() - begun < roundMs; passes += 1) for (const text of texts) work(text);
  return (performance.now() - begun) / passes / texts.length;
}

export async function judgedCommand(): Promise<Row> {
  const calls = ordinary.map((command) => JSON.stringify({ command }));
  const contenders = {
    subject: async () => perCall(ordinary, judged),
    reference: async () => perCall(calls, (text) => JSON.parse(text)) + mayTake,
  };
  return judge(judgedGoal, await compare(contenders, counts));
}

/** A list of commands that all pass, as long as that. */
function listOf(characters: number): string {
  const one = `cat src/${'folder/'.repeat(12)}file.ts\n`;
  return one.repeat(Math.floor(characters / one.length));
}

/** @throws when such a command does not pass: then it was not looked at, and costs nothing */
export async function judgedGrowth(): Promise<Row> {
  const [long, short] = [listOf(times * fewCharacters), listOf(fewCharacters)];
  for (const command of [long, short]) {
    const { decision, why } = judged(command);
    if (decision !== 'allow') throw new Error(`a command of ${command.length} characters: ${why}`);
  }
  const contenders = {
    subject: async () => perCall([long], judged),
    reference: async () => perCall([short], judged),
  };
  return judge(judgedGrowthGoal, await compare(contenders, counts));
}
