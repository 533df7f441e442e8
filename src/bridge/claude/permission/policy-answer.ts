// Pure: what the policy says, as Claude Code's hooks want it. Measured on 2.1.329: a hook's `deny`, `ask` and `allow`
// hold in `manual`, `acceptEdits` and `bypassPermissions` alike, and `ask` brings a PermissionRequest in each of them.

import type { Call } from '../../../domain/policy/call.ts';
import { asks, type Ruling, ruleWords } from '../../../domain/policy/ruling.ts';
import { ruledOut } from '../../../domain/tools/denial.ts';
import { isWordy } from './permission-ask.ts';

interface Said<T> {
  answer: T;
  /** The policy decided it, and nobody is asked. */
  decided: boolean;
}

const abstain = { answer: {}, decided: false };

export function preToolUse({ tool, lent }: Call, ruling: Ruling): Said<object> {
  // A lent tool is judged where its call arrives, behind everything that Claude Code may do with a hook's answer.
  if (lent || ruling.decision === 'leave') return abstain;
  if (ruling.decision === 'deny') return { answer: hookSays('deny', ruledOut(ruling)), decided: true };
  if (asks(ruling)) return { answer: hookSays('ask', ruleWords(ruling)), decided: false };
  // A question of Claude's, or a plan, is there to be read: no rule can answer it.
  return isWordy(tool) ? abstain : { answer: hookSays('allow', ruleWords(ruling)), decided: true };
}

const hookSays = (
  permissionDecision: 'allow' | 'ask' | 'deny',
  permissionDecisionReason: string,
): object => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason },
});

/** @returns undefined where somebody has to be asked: also where a rule allows it, as Claude Code has its own reason */
export function permissionRequest(_call: Call, ruling: Ruling): Said<object | undefined> {
  if (ruling.decision !== 'deny') return { answer: undefined, decided: false };
  const decided = { behavior: 'deny', message: ruledOut(ruling) };
  const answer = { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: decided } };
  return { answer, decided: true };
}

/** To a hook that could not be read: a tool that nobody could judge must not run as if nothing had been asked. */
export const unreadAnswer = (event: string): object =>
  event === 'PreToolUse'
    ? hookSays('deny', 'The bridge could not read what was to be run, so nothing was.')
    : {};
