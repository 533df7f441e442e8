// The whole policy, read critically: what does not do what it seems to.
import { fitsWildcard } from '../../base/text/wildcard.ts';
import type { PolicyRule } from '../../protocol/settings/policy.ts';
import { dialogTool } from '../question/dialog-question.ts';
import { catalogue } from './defaults.ts';
import { doubter } from './doubted.ts';
import { positionOf } from './match/glob.ts';
import { decisionWords } from './ruling.ts';

export interface Finding {
  /** Number of the rule, from 1. */
  rule: number;
  words: string;
  suggestion: string;
}

/** Tools of Claude Code 2.1, and what stands for its dialogs. */
export const claudeTools: ReadonlySet<string> = new Set([
  dialogTool,
  ...`Agent AskUserQuestion Bash BashOutput Edit EnterPlanMode ExitPlanMode Glob Grep KillShell LS ListMcpResources
   MultiEdit NotebookEdit NotebookRead Read ReadMcpResource Skill SlashCommand Task TaskOutput TaskStop TodoWrite
   ToolSearch WebFetch WebSearch Write`.split(/\s+/),
]);

/**
 * @param approvers how many people may answer in a chat
 * @param providers names of those whose tools Claude gets
 */
export function review(
  rules: readonly PolicyRule[],
  approvers: number,
  providers: readonly string[] = [],
): Finding[] {
  return rules.flatMap((rule, index) => {
    const at = { rule: index + 1 };
    const before = doubter(rules.slice(0, index), rule);
    const swallower = rules.findIndex((earlier, at) => at < index && covers(earlier, rule));
    return [
      ...(swallower < 0 ? [] : [{ ...at, ...swallowed(rules[swallower], swallower + 1, rule) }]),
      ...(swallower >= 0 || before < 0 ? [] : [{ ...at, ...doubted(before + 1, rule) }]),
      ...oddities(rule, approvers, providers).map((found) => ({ ...at, ...found })),
    ];
  });
}

type Words = Omit<Finding, 'rule'>;

function swallowed(earlier: PolicyRule | undefined, number: number, rule: PolicyRule): Words {
  const lost = earlier?.decision === 'allow' && rule.decision !== 'allow';
  return {
    words: lost
      ? `it never holds: rule ${number} allows all of it before it could ${decisionWords(rule.decision)}`
      : `it never decides: rule ${number} fits first, whatever it fits`,
    suggestion: `Put it before rule ${number}, or take it out.`,
  };
}

const doubted = (number: number, { command }: PolicyRule): Words => ({
  words: `it is asked about first: nothing is known of what \`${command}\` runs, so rule ${number} may fit`,
  suggestion: `Put it before rule ${number} to let \`${command}\` run, whatever it does.`,
});

function oddities(rule: PolicyRule, approvers: number, providers: readonly string[]): Words[] {
  const found: Words[] = [];
  const say = (words: string, suggestion: string) => found.push({ words, suggestion });
  const { tool, command, path, host, sender, door, unattended, sandboxed, decision } = rule;
  for (const name of [tool ?? []].flat())
    if (!isKnown(name) && !providers.some((provider) => name.startsWith(`${provider}_`)))
      say(
        `no tool is known by the name "${name}"`,
        'Names are written as Claude Code or the hub writes them: `Bash`, `exec`. Those of a provider begin with its name: `notes_search`.',
      );
  if (decision === 'allow' && command === undefined && (path ?? host) !== undefined && meansShell(tool))
    say(
      'it allows no shell command: what one does to a path or a host cannot be told from its words',
      'Name the commands themselves with `command`.',
    );
  if (decision === 'allow' && command !== undefined && path !== undefined && isOnlyBash(tool))
    say(
      'it never fits: a call of `Bash` has no field that says in which folder it runs',
      'Take `path` out of it, or name `exec`.',
    );
  if (sender !== undefined && decision !== 'allow')
    say(
      'it does not hold for callers whose sender the hub does not prove',
      'Restrict everybody, and allow the senders you trust in a rule before it.',
    );
  if (door === 'adopted' && decision === 'allow')
    say(
      'it also allows what Claude begins by itself, such as the end of a background task',
      'Use `door: operator` for what you send yourself.',
    );
  if (sandboxed && tool !== undefined && ![tool].flat().some((name) => fitsWildcard(name, 'Bash')))
    say('it never fits: only `Bash` runs in the sandbox', 'Take `sandboxed` out of it, or name `Bash`.');
  if (unattended === true && decision !== 'allow' && decision !== 'deny')
    say('nobody is there to be asked: it denies', 'Say `deny`, or `allow` what may run alone.');
  if (typeof decision === 'object' && approvers < decision.quorum)
    say(
      `no chat can bring ${decision.quorum} yeses: \`approvers\` names ${approvers}, so only the operator can answer`,
      'Name at least so many `approvers`.',
    );
  return found;
}

const isKnown = (name: string): boolean =>
  name.includes('*') || name.startsWith('mcp__') || claudeTools.has(name) || catalogue.has(name);

const meansShell = (tool: PolicyRule['tool']): boolean =>
  tool === undefined ||
  [tool].flat().some((name) => ['Bash', 'exec'].some((shell) => fitsWildcard(name, shell)));

const isOnlyBash = (tool: PolicyRule['tool']): boolean =>
  tool !== undefined && [tool].flat().every((name) => name === 'Bash');

/** Whatever `rule` fits, `earlier` has fitted before. Said only where it is certain. */
function covers(earlier: PolicyRule, rule: PolicyRule): boolean {
  return (
    within(earlier.session, rule.session, fitsWildcard) &&
    within(earlier.door, rule.door, same) &&
    within(earlier.sender, rule.sender, same) &&
    within(earlier.unattended, rule.unattended, same) &&
    within(earlier.sandboxed, rule.sandboxed, same) &&
    toolsCover(earlier.tool, rule.tool) &&
    permissionsCover(earlier, rule) &&
    within(earlier.command, rule.command, (wide, narrow) => `${narrow} `.startsWith(`${wide} `)) &&
    within(earlier.path, rule.path, pathCovers) &&
    within(earlier.host, rule.host, fitsWildcard)
  );
}

const within = <T>(
  wide: T | undefined,
  narrow: T | undefined,
  fits: (wide: T, narrow: T) => boolean,
): boolean => wide === undefined || (narrow !== undefined && fits(wide, narrow));

const same = <T>(one: T, other: T): boolean => one === other;

function toolsCover(wide: PolicyRule['tool'], narrow: PolicyRule['tool']): boolean {
  if (wide === undefined) return true;
  if (narrow === undefined) return [wide].flat().includes('*');
  return [narrow].flat().every((name) => [wide].flat().some((pattern) => fitsWildcard(pattern, name)));
}

/** An `allow` needs all that a tool may do, everything else any of it: so the one is not covered by the other. */
function permissionsCover({ permission: wide, decision }: PolicyRule, rule: PolicyRule): boolean {
  if (wide === undefined) return true;
  if (rule.permission === undefined || (decision === 'allow' && rule.decision !== 'allow')) return false;
  return [rule.permission]
    .flat()
    .every((name) => [wide].flat().some((pattern) => fitsWildcard(pattern, name)));
}

const pathCovers = (wide: string, narrow: string): boolean =>
  positionOf(`/${wide}`, `/${narrow}`, false) === 'inside';
