// The corpus, made into calls about what one rule names.
import { fitsWildcard } from '../../../base/text/wildcard.ts';
import type { PolicyRule } from '../../../protocol/settings/policy.ts';
import type { Family } from './family.ts';
import { fill, fillInput, type Values } from './fill.ts';
import { meansTool, takersOf } from './takers.ts';
import { builtins, commandValues } from './values/command-values.ts';
import { hostValues } from './values/host-values.ts';
import { type PathPlace, pathValues } from './values/path-values.ts';

export interface Try {
  family: string;
  tool: string;
  input: unknown;
}

/** Why a rule is not tried, in words. */
export interface NotTried {
  why: string;
}

/**
 * Calls that do what the rule names, in every way of the corpus; of a rule that allows: calls that seem to do no more.
 * @param session only rules for a session with this key; undefined: every rule
 */
export function triesOf(
  rule: PolicyRule,
  corpus: readonly Family[],
  place: PathPlace,
  session?: string,
): Try[] | NotTried {
  const names = (['command', 'path', 'host'] as const).filter((key) => rule[key] !== undefined);
  const [about] = names;
  if (about === undefined) return { why: 'it names no command, path or host' };
  if (names.length > 1) return { why: 'it names more than one of command, path and host' };
  if (rule.permission !== undefined) return { why: 'it is about what tools of providers may do' };
  if (session !== undefined && rule.session !== undefined && !fitsWildcard(rule.session, session))
    return { why: `it is not for the session ${session}` };
  const values = valuesOf(about, rule, place);
  if (!values) return { why: `no example can be made of its ${about}` };
  const against = rule.decision === 'allow' ? 'allow' : 'deny';
  const found = corpus
    .filter((family) => family.names === about && family.against === against && suits(family, values))
    .flatMap((family) => callsOf(family, rule, values));
  const once = new Map(found.map((each) => [JSON.stringify([each.tool, each.input]), each]));
  return once.size > 0 ? [...once.values()] : { why: 'nothing is known that its tools could be tried with' };
}

function valuesOf(about: Family['names'], rule: PolicyRule, place: PathPlace): Values | undefined {
  switch (about) {
    case 'command':
      return commandValues(rule.command ?? '');
    case 'path':
      return pathValues(rule.path ?? '', place);
    case 'host':
      return hostValues(rule.host ?? '');
  }
}

function suits({ needs }: Family, { base, program, ip }: Values): boolean {
  if (needs === undefined) return true;
  if (needs === 'file') return program !== undefined && !builtins.has(program);
  return needs === 'ip' ? ip !== undefined : needs === base;
}

function callsOf(family: Family, rule: PolicyRule, values: Values): Try[] {
  // Nothing but Claude's own shell runs in the sandbox.
  const mayBe = (tool: string) => rule.sandboxed !== true || tool === 'Bash';
  return family.variants.flatMap((variant): Try[] => {
    if (typeof variant !== 'string') {
      const { tool, means = tool } = variant;
      const input = meansTool(rule.tool, means) && mayBe(tool) ? fillInput(variant.input, values) : undefined;
      return input === undefined ? [] : [{ family: family.name, tool, input }];
    }
    const text = fill(variant, values);
    if (text === undefined || family.written === 'input') return [];
    return takersOf(rule, family.written)
      .filter(({ tool }) => mayBe(tool))
      .map(({ tool, input }) => ({ family: family.name, tool, input: input(text) }));
  });
}
