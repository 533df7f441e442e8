// Whether a rule that allows covers a call: it has to speak of every field that means something.
import { fitsWildcard } from '../../base/text/wildcard.ts';
import type { PolicyRule } from '../../protocol/settings/policy.ts';
import { isPlainPath, pathsOf } from './input-paths.ts';
import { hostPattern, webHost } from './match/host-of.ts';
import { isAddress } from './match/input-host.ts';
import { fitsCommand } from './match/match-command.ts';
import { staysIn } from './match/match-path.ts';
import type { Field } from './meaning/meaning.ts';
import type { Place } from './place.ts';
import type { Unit } from './units.ts';

export interface Cover {
  /** Each thing that the rule names is in the call. */
  fits: boolean;
  /** Fields that it does not cover. */
  left: readonly Field[];
}

/** It names a command, a path or a host; without them it allows the whole tool. */
export const isNarrow = ({ command, path, host }: PolicyRule): boolean =>
  command !== undefined || path !== undefined || host !== undefined;

export function coverOf(rule: PolicyRule, unit: Unit, place: Place): Cover {
  const { fields } = unit.input.reading;
  const left = fields.filter((field) => !covers(rule, field, place));
  const covered = new Set(fields.filter((field) => !left.includes(field)).map(partOf));
  return {
    fits:
      unit.input.reading.whole &&
      (rule.command === undefined || commandFits(rule.command, unit)) &&
      (rule.path === undefined ||
        covered.has('path') ||
        staysIn(rule.path, unit.input.paths, place) === 'yes') &&
      (rule.host === undefined || covered.has('host')),
    left,
  };
}

/** Whether the rule speaks of the field; of a command, whether it names one: each is judged for itself. */
export function covers({ command, path, host }: PolicyRule, field: Field, place: Place): boolean {
  if (!field.understood) return false;
  switch (partOf(field)) {
    case 'none':
      return true;
    case 'command':
      // A list of words is not what a shell reads.
      return command !== undefined && field.list === undefined;
    case 'path':
      return path !== undefined && liesIn(path, field, place);
    case 'host':
      return host !== undefined && isAt(host, field);
    default:
      return false;
  }
}

const liesIn = (path: string, field: Field, place: Place): boolean =>
  (field.meaning === 'patch' || isPlainPath(field.value, place)) &&
  staysIn(path, pathsOf(field, place), place) === 'yes';

function isAt(host: string, { value }: Field): boolean {
  const given = typeof value === 'string' ? webHost(value) : undefined;
  return given !== undefined && fitsWildcard(hostPattern(host), given);
}

/** The part of a rule that may cover a field; `never`: it has none for it. */
export function partOf({ meaning, value }: Field): 'none' | 'command' | 'path' | 'host' | 'never' {
  switch (meaning) {
    case 'text':
    case 'words':
    case 'flag':
      return 'none';
    case 'command':
      return 'command';
    case 'path':
    case 'folder':
    case 'glob':
    case 'patch':
      return 'path';
    case 'url':
      return 'host';
    case 'media':
      return isAddress(value) ? 'host' : 'path';
    default:
      return 'never';
  }
}

export const commandFits = (pattern: string, { command }: Unit): boolean =>
  command !== undefined && fitsCommand(pattern, command, false) === 'yes';
