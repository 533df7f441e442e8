import { claudeCall } from '../../../src/domain/policy/call.ts';
import { type Circumstances, judge } from '../../../src/domain/policy/judge.ts';
import type { Place } from '../../../src/domain/policy/place.ts';
import type { Ruling } from '../../../src/domain/policy/ruling.ts';
import { PolicyRule } from '../../../src/protocol/settings/policy.ts';

export const about: Circumstances = { session: 's', unattended: false, mode: 'manual' };
/** `/w/p/link` leads to `~/.ssh`. */
export const place: Place = {
  cwd: '/w/p',
  home: '/home/u',
  real: (path) => {
    if (!path.startsWith('/')) throw new Error(`${path} is not absolute`);
    return path.replace(/^\/w\/p\/link(?=\/|$)/, '/home/u/.ssh');
  },
};

export const rules = (...given: object[]) => given.map((rule) => PolicyRule.parse(rule));

/** What a policy says to one call, and why. */
export const ruling = (
  given: object[],
  tool: string,
  input: unknown,
  who: Partial<Circumstances> = {},
  where: Partial<Place> = {},
): Ruling => judge(rules(...given), claudeCall(tool, input), { ...about, ...who }, { ...place, ...where });

export const says = (...given: Parameters<typeof ruling>) => ruling(...given).decision;
export const bash = (given: object[], command: string) => says(given, 'Bash', { command });
/** A tool of the hub's, as Claude Code calls it. */
export const lent = (tool: string) => `mcp__synthesis__${tool}`;
