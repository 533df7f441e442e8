// What the policy says to one call. Pure: links are followed by the `real` of the place that comes with it.
import type { PolicyRule } from '../../protocol/settings/policy.ts';
import { type Call, unwrapped } from './call.ts';
import { defaultRuling } from './defaults.ts';
import { type Circumstances, fits } from './fits.ts';
import { nearMiss } from './near-miss.ts';
import type { Place } from './place.ts';
import { knownReach } from './programs/known.ts';
import { asks, decisionWords, type Ruling, strength, strictest } from './ruling.ts';
import { literal } from './shell-word.ts';
import { type Unit, unitsOf } from './units.ts';

export type { Circumstances };

export function judge(rules: readonly PolicyRule[], call: Call, about: Circumstances, place: Place): Ruling {
  const once = { ...place, real: remembered(place.real) };
  const rulings = unitsOf(unwrapped(call), once).map((unit) => judgeUnit(rules, unit, about, once));
  return strictest(rulings) ?? defaultRuling(unwrapped(call), about.mode);
}

/** Links are followed once for a path, whatever number of rules and words lead there. */
export function remembered(real: Place['real']): Place['real'] {
  const known = new Map<string, string>();
  return (path) => {
    const to = known.get(path) ?? real(path);
    known.set(path, to);
    return to;
  };
}

/** The first rule that fits. What may be denied is asked about, whatever a later rule allows. */
function judgeUnit(rules: readonly PolicyRule[], unit: Unit, about: Circumstances, place: Place): Ruling {
  let doubt: Ruling | undefined;
  let missed: string | undefined;
  const decided = (ruling: Ruling): Ruling => {
    const found = doubt && strength(ruling.decision) < strength(doubt.decision) ? doubt : ruling;
    const tells = missed !== undefined && (asks(found) || found.decision === 'leave');
    return tells ? { ...found, why: `${found.why}; ${missed}` } : found;
  };
  for (const [index, rule] of rules.entries()) {
    const fit = fits(rule, unit, about, place);
    if (fit === 'no' || (fit === 'maybe' && rule.decision === 'allow')) {
      missed ??= nearMiss(rule, index + 1, unit, about, place);
      continue;
    }
    const said = { rule: index + 1, ...(rule.reason !== undefined && { reason: rule.reason }) };
    if (fit === 'maybe' && rule.decision === 'deny') {
      const why = `rule ${index + 1} (deny) may fit, ${doubtWords(unit)}`;
      doubt ??= { decision: 'ask', why, ...said };
    } else
      return decided({
        decision: rule.decision,
        why: `rule ${index + 1} (${decisionWords(rule.decision)})${placeWords(rule)}`,
        ...said,
      });
  }
  return decided(unit.unreadable ? unreadable(unit, about) : defaultRuling(unit.call, about.mode));
}

function doubtWords({ command, unreadable }: Unit): string {
  const [first] = command?.words ?? [];
  const program = first && literal(first);
  // The model chose it: what is no plain name is not repeated.
  if (command && program !== undefined && /^[\w.+/-]{1,40}$/.test(program) && !knownReach(command))
    return `as nothing is known of what \`${program}\` does with these words`;
  return command || unreadable
    ? 'which cannot be told without running it'
    : 'as a field may mean what it names';
}

const placeWords = ({ sandboxed }: PolicyRule): string =>
  sandboxed === undefined ? '' : `, as it ${sandboxed ? 'runs' : 'does not run'} in the sandbox`;

/** A rule cannot speak for what nobody can read; a mode that asks nobody still does. */
const unreadable = ({ call }: Unit, { mode }: Circumstances): Ruling => {
  const ruling = defaultRuling(call, mode);
  return ruling.decision === 'leave'
    ? { ...ruling, why: `${ruling.why} (the command cannot be taken apart)` }
    : ruling;
};
