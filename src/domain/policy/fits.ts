// How well one rule fits one thing that a call does.
import { fitsWildcard } from '../../base/text/wildcard.ts';
import type { PermissionMode } from '../../protocol/settings/permission-mode.ts';
import type { PolicyDoor, PolicyRule } from '../../protocol/settings/policy.ts';
import type { NamedCall } from './call.ts';
import { coverOf, isNarrow } from './covers.ts';
import { maySay } from './input-commands.ts';
import { commandHost } from './match/command-host.ts';
import { inputHost } from './match/input-host.ts';
import { fitsCommand } from './match/match-command.ts';
import { touches } from './match/match-path.ts';
import { fitsPermission } from './match/match-permission.ts';
import type { Place } from './place.ts';
import { both, either, type Fit } from './ruling.ts';
import type { Unit } from './units.ts';

/** Whose message Claude works on, and where. */
export interface Circumstances {
  session: string;
  door?: PolicyDoor;
  sender?: string;
  /** `telegram`, `discord`, … */
  channel?: string;
  unattended: boolean;
  mode: PermissionMode;
}

export function fits(rule: PolicyRule, unit: Unit, about: Circumstances, place: Place): Fit {
  if (!speaksOf(rule, unit.call, about)) return 'no';
  const sandbox = sandboxFit(rule.sandboxed, unit.call);
  if (rule.decision === 'allow') return both(sandbox, allowFit(rule, unit, place));
  return both(
    sandbox,
    commandFit(rule.command, unit),
    pathFit(rule.path, unit, place),
    hostFit(rule.host, unit),
  );
}

/** The rule is about this tool, and about who calls it. */
export function speaksOf(rule: PolicyRule, call: NamedCall, about: Circumstances): boolean {
  const restricts = rule.decision !== 'allow';
  return (
    concerns(rule, about) &&
    meansTool(rule.tool, call, restricts) &&
    fitsPermission(rule.permission, call.permissions, restricts)
  );
}

function concerns({ session, door, sender, unattended }: PolicyRule, about: Circumstances): boolean {
  return (
    (session === undefined || fitsWildcard(session, about.session)) &&
    (door === undefined || door === about.door) &&
    (unattended === undefined || unattended === about.unattended) &&
    (sender === undefined ||
      (about.sender !== undefined &&
        (sender === about.sender || sender === `${about.channel ?? ''}:${about.sender}`)))
  );
}

function meansTool(tool: PolicyRule['tool'], call: NamedCall, restricts: boolean): boolean {
  if (tool === undefined) return true;
  const names = restricts ? [call.tool, ...call.aliases] : [call.tool];
  return [tool]
    .flat()
    .some((wanted) => names.some((name) => name === '*' || meansName(wanted, name, call.lent)));
}

/** Lent tools may also be named as Claude Code names them. */
const meansName = (wanted: string, name: string, lent: boolean): boolean =>
  fitsWildcard(wanted, name) || (lent && fitsWildcard(wanted, `mcp__synthesis__${name}`));

/** What is not told is not taken for true: an `allow` does not hold then, and a `deny` asks. */
export function sandboxFit(wanted: boolean | undefined, { tool, lent, ...call }: NamedCall): Fit {
  if (wanted === undefined) return 'yes';
  // Only the shell is put into it.
  const sandboxed = lent || tool !== 'Bash' ? false : call.sandboxed;
  return sandboxed === undefined ? 'maybe' : sandboxed === wanted ? 'yes' : 'no';
}

function allowFit(rule: PolicyRule, unit: Unit, place: Place): Fit {
  if (unit.unreadable) return 'no';
  if (!isNarrow(rule)) return 'yes';
  const { fits, left } = coverOf(rule, unit, place);
  return fits && left.length === 0 ? 'yes' : 'no';
}

function commandFit(pattern: string | undefined, { command, unreadable, input }: Unit): Fit {
  if (pattern === undefined) return 'yes';
  const may = unreadable || input.commands.code || !input.reading.whole || maySay(pattern, input.commands);
  return either(command ? fitsCommand(pattern, command, true) : 'no', may ? 'maybe' : 'no');
}

function pathFit(pattern: string | undefined, unit: Unit, place: Place): Fit {
  if (pattern === undefined) return 'yes';
  const may = unit.unreadable || unit.input.commands.code || mayTouch(pattern, unit, place);
  return either(touches(pattern, unit.paths, place), may ? 'maybe' : 'no');
}

/** Whether a text that may be anything names the path. */
function mayTouch(pattern: string, { input }: Unit, place: Place): boolean {
  const { whole, pieces, more } = input.loosePaths();
  return more || touches(pattern, whole, place) !== 'no' || touches(pattern, pieces, place) === 'yes';
}

function hostFit(host: string | undefined, { command, unreadable, input }: Unit): Fit {
  if (host === undefined) return 'yes';
  return either(
    command ? commandHost(host, command, true) : 'no',
    unreadable || input.commands.code ? 'maybe' : 'no',
    inputHost(host, input.hosts()),
  );
}
