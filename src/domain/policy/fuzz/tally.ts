// What became of the calls that a rule was tried with.
import type { PermissionMode } from '../../../protocol/settings/permission-mode.ts';
import type { PolicyRule } from '../../../protocol/settings/policy.ts';
import type { Ruling } from '../ruling.ts';
import type { Try } from './tries.ts';

export interface Unasked extends Try {
  /** Number of the rule that allows it; null where none does. */
  by: number | null;
}

export interface Tally {
  tried: number;
  /** A person would be asked, or it would be denied. */
  held: number;
  /** No rule has an opinion: Claude Code's permission mode decides. */
  left: number;
  /** Of a rule that allows: it passes by default, whatever this rule says. */
  others: number;
  unasked: Unasked[];
}

interface Rules {
  rule: PolicyRule;
  /** Of the rule, from 1. */
  number: number;
  mode: PermissionMode;
  judge(each: Try): Ruling;
  /** Looked at before each call: the rest is not tried. */
  isLate(): boolean;
}

/** @returns undefined when there was not the time for all of it */
export function tally(
  tries: readonly Try[],
  { rule, number, mode, judge, isLate }: Rules,
): Tally | undefined {
  const result: Tally = { tried: tries.length, held: 0, left: 0, others: 0, unasked: [] };
  for (const each of tries) {
    if (isLate()) return undefined;
    const { decision, rule: by } = judge(each);
    const isLeft = decision === 'leave' && mode !== 'bypassPermissions';
    if (isLeft) result.left += 1;
    else if (decision !== 'allow' && decision !== 'leave') result.held += 1;
    else if (rule.decision === 'allow' && by !== number) result.others += 1;
    else result.unasked.push({ ...each, by: by ?? null });
  }
  return result;
}
