// Why a rule that allows almost this call does not hold, for those who are asked.
import type { PolicyRule } from '../../protocol/settings/policy.ts';
import { coverOf, isNarrow } from './covers.ts';
import { type Circumstances, sandboxFit, speaksOf } from './fits.ts';
import type { Field } from './meaning/meaning.ts';
import type { Place } from './place.ts';
import type { Unit } from './units.ts';

/** @returns undefined where it is no near miss: it does not speak of the call, or holds */
export function nearMiss(
  rule: PolicyRule,
  number: number,
  unit: Unit,
  about: Circumstances,
  place: Place,
): string | undefined {
  if (rule.decision !== 'allow' || !isNarrow(rule)) return undefined;
  if (!speaksOf(rule, unit.call, about) || sandboxFit(rule.sandboxed, unit.call) !== 'yes') return undefined;
  const { fits, left } = coverOf(rule, unit, place);
  const [first] = left;
  if (!fits || !first) return undefined;
  return `rule ${number} allows ${named(rule)}, but not with ${fieldName(first)}`;
}

const named = ({ command, path, host }: PolicyRule): string =>
  [command, path, host].flatMap((part) => (part === undefined ? [] : [`\`${part}\``])).join(' and ');

/** The model chose it: in the words of a question it is a name, or none. */
export const fieldName = ({ at }: Field): string =>
  /^[\w.[\]-]{1,60}$/.test(at) ? `\`${at}\`` : 'a field of an unusual name';
