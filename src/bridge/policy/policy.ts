// The policy of the configuration, for the sessions of this bridge.
import { homedir } from 'node:os';
import type { Call } from '../../domain/policy/call.ts';
import { explainFields } from '../../domain/policy/explain.ts';
import { type Circumstances, judge } from '../../domain/policy/judge.ts';
import type { Place } from '../../domain/policy/place.ts';
import type { Ruling } from '../../domain/policy/ruling.ts';
import { currentTurn, type Session } from '../../domain/state/session.ts';
import type { PolicyField } from '../../domain/views/policy-field.ts';
import type { LaunchOptions } from '../../protocol/events/events.ts';
import type { PolicyRule } from '../../protocol/settings/policy.ts';
import { realPath } from './real-path.ts';

/** @param cwd where Claude Code works: a tool that the hub runs starts from a folder of its own */
export function ruleOn(
  rules: readonly PolicyRule[],
  call: Call,
  about: Circumstances,
  cwd: string,
  home: string = homedir(),
): Ruling {
  return judge(rules, call, about, placeOf(call, cwd, home));
}

/** As `ruleOn`, with the rule that covers each field of the call. */
export function explainOn(
  rules: readonly PolicyRule[],
  call: Call,
  about: Circumstances,
  cwd: string,
  home: string,
): Ruling & { fields: PolicyField[] } {
  const ruling = ruleOn(rules, call, about, cwd, home);
  return { ...ruling, fields: explainFields(rules, call, about, placeOf(call, cwd, home), ruling.rule) };
}

const placeOf = (call: Call, cwd: string, home: string): Place => ({
  cwd: call.lent ? undefined : cwd,
  home,
  real: realPath,
});

/** What is known of the message that Claude works on. @param launch what its Claude Code runs with */
export function circumstances(
  key: string,
  session: Session | undefined,
  launch: LaunchOptions,
): Circumstances {
  const turn = session && currentTurn(session);
  return {
    session: key,
    mode: launch.permissionMode,
    unattended: turn?.meta.unattended !== undefined,
    ...(turn && { door: turn.adopted ? 'adopted' : turn.ingress }),
    ...(turn?.sender?.id !== undefined && { sender: turn.sender.id }),
    ...(turn?.meta.source_channel !== undefined && { channel: turn.meta.source_channel }),
  };
}
