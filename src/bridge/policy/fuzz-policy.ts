// Tries the configuration's own rules with the corpus, without running anything.
import { homedir } from 'node:os';
import { corpus } from '../../domain/policy/fuzz/corpus.ts';
import { type Tally, tally } from '../../domain/policy/fuzz/tally.ts';
import { type Try, triesOf } from '../../domain/policy/fuzz/tries.ts';
import type { Ruling } from '../../domain/policy/ruling.ts';
import type { Config } from '../../protocol/settings/config.ts';
import type { PermissionMode } from '../../protocol/settings/permission-mode.ts';
import type { PolicyRule } from '../../protocol/settings/policy.ts';
import { launchOptions } from '../profiles.ts';
import { isFile } from './is-file.ts';
import { tryPolicy } from './try-policy.ts';

export interface FuzzOptions {
  /** Only what holds for a session with this key. */
  session?: string;
  /** Commands run in the sandbox, where a rule does not say so itself; absent where that is not known. */
  sandboxed?: boolean;
  /** Time for all of it, milliseconds; rules that it was not enough for are not tried. */
  withinMs: number;
}

export interface TriedRule extends Tally {
  /** From 1. */
  number: number;
  rule: PolicyRule;
  mode: PermissionMode;
  /** Why it was not tried. */
  why?: string;
  /** It was not, because there was not the time. */
  isLate: boolean;
}

/** OpenClaw's main conversation. */
const mainKey = 'agent:main:main';
const late = 'there was no time for it';

export function fuzzPolicy(
  config: Config & { cwd: string },
  options: FuzzOptions,
  home = homedir(),
): TriedRule[] {
  const end = performance.now() + options.withinMs;
  return config.policy.map((rule, index) => {
    const session = options.session ?? rule.session?.replaceAll('*', 'x') ?? mainKey;
    const { cwd, permissionMode: mode } = launchOptions(config, session);
    const about = { number: index + 1, rule, mode };
    const tries = triesOf(rule, corpus, { cwd, home, isFile }, options.session);
    if (!Array.isArray(tries)) return { ...about, ...untried(tries.why), isLate: false };
    const policy = rulesFor(rule, config.policy);
    const judge = judgeOf({ ...config, policy }, rule, { ...options, session }, home);
    const number = policy.indexOf(rule) + 1;
    const found = tally(tries, { rule, mode, number, judge, isLate: () => performance.now() > end });
    for (const each of found?.unasked ?? []) if (each.by === number) each.by = index + 1;
    return { ...about, ...(found ?? untried(late)), isLate: found === undefined };
  });
}

/** What a rule allows is judged without the others that allow: what those let through says nothing of this one. */
const rulesFor = (rule: PolicyRule, all: readonly PolicyRule[]): PolicyRule[] =>
  all.filter((each) => each === rule || rule.decision !== 'allow' || each.decision !== 'allow');

const untried = (why: string): Tally & { why: string } => ({
  tried: 0,
  held: 0,
  left: 0,
  others: 0,
  unasked: [],
  why,
});

/** Asks as whoever the rule is about. */
function judgeOf(
  config: Config & { cwd: string },
  { door, sender, unattended = false, sandboxed }: PolicyRule,
  options: { session: string; sandboxed?: boolean },
  home: string,
): (each: Try) => Ruling {
  const inForce = sandboxed ?? options.sandboxed;
  const who = {
    session: options.session,
    unattended,
    ...(door && { door }),
    ...(sender !== undefined && { sender }),
    ...(inForce !== undefined && { sandboxed: inForce }),
  };
  return ({ tool, input }) => tryPolicy(config, { ...who, tool, input }, home);
}

/** The sentence about a family of the corpus. */
export const familyWords = (name: string): string =>
  corpus.find((family) => family.name === name)?.what ?? '';
