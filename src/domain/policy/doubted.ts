// Rules that allow a command of which nothing is known, behind one that denies something: there it is asked about.
import { fitsWildcard } from '../../base/text/wildcard.ts';
import type { PolicyRule } from '../../protocol/settings/policy.ts';
import { isKnownInPart, knownReach } from './programs/known.ts';
import { simpleCommands } from './shell.ts';

/** @returns place of the rule that asks first, from 0; -1 where none does */
export function doubter(rules: readonly PolicyRule[], { decision, command, ...rule }: PolicyRule): number {
  if (decision !== 'allow' || command === undefined || !nothingIsKnown(command)) return -1;
  return rules.findIndex(
    (earlier) =>
      earlier.decision !== 'allow' &&
      (earlier.command ?? earlier.path ?? earlier.host) !== undefined &&
      earlier.sandboxed !== true &&
      meet(earlier, rule),
  );
}

function nothingIsKnown(pattern: string): boolean {
  const [command, ...others] = simpleCommands(pattern.replaceAll('*', 'x')) ?? [];
  if (command === undefined || others.length > 0) return false;
  return !knownReach(command) && !(command.words.length === 1 && isKnownInPart(pattern));
}

/** Some call is spoken of by both. */
function meet(one: PolicyRule, other: Omit<PolicyRule, 'decision' | 'command'>): boolean {
  const keys = ['session', 'door', 'sender', 'unattended'] as const;
  if (keys.some((key) => one[key] !== undefined && other[key] !== undefined && one[key] !== other[key]))
    return false;
  if (one.permission !== undefined) return false;
  if (one.tool === undefined || other.tool === undefined) return true;
  const mine = [one.tool].flat();
  return [other.tool]
    .flat()
    .some((name) => mine.some((each) => fitsWildcard(each, name) || fitsWildcard(name, each)));
}
