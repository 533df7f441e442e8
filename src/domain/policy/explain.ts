// Which rule covers which field of a call, for `policy test`.
import type { PolicyRule } from '../../protocol/settings/policy.ts';
import type { PolicyField } from '../views/policy-field.ts';
import { type Call, unwrapped } from './call.ts';
import { commandFits, covers, isNarrow, partOf } from './covers.ts';
import { type Circumstances, sandboxFit, speaksOf } from './fits.ts';
import type { Field, Meaning } from './meaning/meaning.ts';
import type { Place } from './place.ts';
import { type Unit, unitsOf } from './units.ts';

/** @param decided number of the rule that decided, which is named before others that would cover a field, too */
export function explainFields(
  rules: readonly PolicyRule[],
  call: Call,
  about: Circumstances,
  place: Place,
  decided: number | undefined,
): PolicyField[] {
  const meant = unwrapped(call);
  const units = unitsOf(meant, place);
  const allowing = rules
    .map((rule, index) => ({ rule, number: index + 1 }))
    .filter(
      ({ rule }) =>
        rule.decision === 'allow' &&
        speaksOf(rule, meant, about) &&
        sandboxFit(rule.sandboxed, meant) === 'yes',
    )
    .sort((one, other) => Number(other.number === decided) - Number(one.number === decided));
  const [first] = units;
  return (first?.input.reading.fields ?? []).map((field) => {
    const found = allowing.find(({ rule }) => coversWholly(rule, field, units, place));
    const { at, meaning } = field;
    return {
      field: at,
      meaning: meaningWords[meaning],
      rule: found?.number ?? null,
      why: found ? null : whyNot(field, allowing.length > 0),
    };
  });
}

function coversWholly(rule: PolicyRule, field: Field, units: readonly Unit[], place: Place): boolean {
  const unreadable = units.some((unit) => unit.unreadable);
  if (!isNarrow(rule)) return !(unreadable && field.meaning === 'command');
  if (!covers(rule, field, place)) return false;
  const { command } = rule;
  if (partOf(field) !== 'command' || command === undefined) return true;
  return !unreadable && units.every((unit) => commandFits(command, unit));
}

function whyNot(field: Field, isAllowing: boolean): string {
  if (!isAllowing) return 'no rule allows this tool';
  if (!field.understood) return 'its meaning is not known, so only a rule for the whole tool covers it';
  switch (partOf(field)) {
    case 'command':
      return 'no rule allows all of this command';
    case 'path':
      return 'it lies in no path that a rule allows';
    case 'host':
      return 'no rule allows its host';
    default:
      return 'it changes what runs, or where: only a rule for the whole tool covers it';
  }
}

const meaningWords: Readonly<Record<Meaning, string>> = {
  command: 'command',
  code: 'code',
  path: 'path',
  folder: 'folder',
  glob: 'pattern of paths',
  patch: 'patch',
  url: 'URL',
  media: 'file or URL',
  text: 'text',
  words: 'text',
  flag: 'flag',
  power: 'power',
  unknown: 'unknown',
};
