// What the policy says to one call. Pure: links are followed by the `real` of the place that comes with it.
import { fitsWildcard } from '../../base/text/wildcard.ts';
import type { PermissionMode } from '../../protocol/settings/permission-mode.ts';
import type { PolicyDoor, PolicyRule } from '../../protocol/settings/policy.ts';
import { type Call, fields, type NamedCall, unwrapped } from './call.ts';
import { commandPaths, workingFolders } from './command-paths.ts';
import { defaultRuling } from './defaults.ts';
import { inputPaths } from './input-paths.ts';
import { commandHost } from './match/command-host.ts';
import { inputHost } from './match/input-host.ts';
import { fitsCommand } from './match/match-command.ts';
import { staysIn, touches } from './match/match-path.ts';
import { fitsPermission } from './match/match-permission.ts';
import type { Place } from './place.ts';
import { both, decisionWords, type Fit, type Ruling, strength, strictest } from './ruling.ts';
import { type SimpleCommand, simpleCommands } from './shell.ts';
import type { Spelling } from './spelling.ts';

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

/** One thing that a call does: a simple command of a script, or the whole of another tool. */
interface Unit {
  call: NamedCall;
  /** Undefined for what is no shell command, or cannot be read. */
  command?: SimpleCommand;
  /** A shell command that cannot be taken apart. */
  unreadable?: true;
  paths: readonly Spelling[];
}

export function judge(rules: readonly PolicyRule[], call: Call, about: Circumstances, place: Place): Ruling {
  const once = { ...place, real: remembered(place.real) };
  const rulings = unitsOf(unwrapped(call), once).map((unit) => judgeUnit(rules, unit, about, once));
  return strictest(rulings) ?? defaultRuling(unwrapped(call), about.mode);
}

/** Links are followed once for a path, whatever number of rules and words lead there. */
function remembered(real: Place['real']): Place['real'] {
  const known = new Map<string, string>();
  return (path) => {
    const to = known.get(path) ?? real(path);
    known.set(path, to);
    return to;
  };
}

function unitsOf(call: NamedCall, place: Place): Unit[] {
  const { command, workdir } = fields(call.input);
  if (typeof command !== 'string') return [{ call, paths: inputPaths(call, place) }];
  const commands = simpleCommands(command);
  if (!commands) return [{ call, unreadable: true, paths: [] }];
  const from = call.lent && typeof workdir === 'string' && workdir.startsWith('/') ? workdir : place.cwd;
  const folders = workingFolders(commands, { ...place, cwd: from });
  const fromFields = inputPaths(call, place);
  if (commands.length === 0) return [{ call, paths: fromFields }];
  return commands.map((each) => ({
    call,
    command: each,
    paths: [...fromFields, ...commandPaths(each, place, folders)],
  }));
}

/** The first rule that fits. What may be denied is asked about, whatever a later rule allows. */
function judgeUnit(rules: readonly PolicyRule[], unit: Unit, about: Circumstances, place: Place): Ruling {
  let doubt: Ruling | undefined;
  const decided = (ruling: Ruling): Ruling =>
    doubt && strength(ruling.decision) < strength(doubt.decision) ? doubt : ruling;
  for (const [index, rule] of rules.entries()) {
    const fit = fits(rule, unit, about, place);
    if (fit === 'no' || (fit === 'maybe' && rule.decision === 'allow')) continue;
    const said = { rule: index + 1, ...(rule.reason !== undefined && { reason: rule.reason }) };
    if (fit === 'maybe' && rule.decision === 'deny') {
      const why = `rule ${index + 1} (deny) may fit, which cannot be told without running it`;
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

const placeWords = ({ sandboxed }: PolicyRule): string =>
  sandboxed === undefined ? '' : `, as it ${sandboxed ? 'runs' : 'does not run'} in the sandbox`;

/** A rule cannot speak for what nobody can read; a mode that asks nobody still does. */
const unreadable = ({ call }: Unit, { mode }: Circumstances): Ruling => {
  const ruling = defaultRuling(call, mode);
  return ruling.decision === 'leave'
    ? { ...ruling, why: `${ruling.why} (the command cannot be taken apart)` }
    : ruling;
};

function fits(rule: PolicyRule, unit: Unit, about: Circumstances, place: Place): Fit {
  if (!concerns(rule, about)) return 'no';
  const restricts = rule.decision !== 'allow';
  if (!meansTool(rule.tool, unit.call, restricts)) return 'no';
  if (!fitsPermission(rule.permission, unit.call.permissions, restricts)) return 'no';
  return both(
    sandboxFit(rule.sandboxed, unit.call),
    commandFit(rule.command, unit, restricts),
    pathFit(rule.path, unit, restricts, place),
    hostFit(rule.host, unit, restricts),
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
function sandboxFit(wanted: boolean | undefined, { tool, lent, ...call }: NamedCall): Fit {
  if (wanted === undefined) return 'yes';
  // Only the shell is put into it.
  const sandboxed = lent || tool !== 'Bash' ? false : call.sandboxed;
  return sandboxed === undefined ? 'maybe' : sandboxed === wanted ? 'yes' : 'no';
}

function commandFit(pattern: string | undefined, unit: Unit, restricts: boolean): Fit {
  if (pattern === undefined) return unit.unreadable && !restricts ? 'no' : 'yes';
  if (unit.command) return fitsCommand(pattern, unit.command, restricts);
  // A cut preview, or no whole command: it may be anything.
  return unit.unreadable || typeof unit.call.input === 'string' ? 'maybe' : 'no';
}

function pathFit(pattern: string | undefined, unit: Unit, restricts: boolean, place: Place): Fit {
  if (pattern === undefined) return 'yes';
  if (unit.unreadable) return 'maybe';
  if (!restricts) return unit.command ? 'no' : staysIn(pattern, unit.paths, place);
  return touches(pattern, unit.paths, place);
}

function hostFit(host: string | undefined, unit: Unit, restricts: boolean): Fit {
  if (host === undefined) return 'yes';
  if (unit.unreadable) return 'maybe';
  return unit.command ? commandHost(host, unit.command, restricts) : inputHost(host, unit.call, restricts);
}
