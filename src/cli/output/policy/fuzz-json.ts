import type { TriedRule } from '../../../bridge/policy/fuzz-policy.ts';

/** The stable shape of `policy fuzz --json`: every rule, and every call that would run unasked. */
export function fuzzJson(
  rules: readonly TriedRule[],
  session: string | undefined,
  words: (family: string) => string,
): object {
  const calls = rules.flatMap(({ number, unasked }) =>
    unasked.map(({ tool, input, family, by }) => ({ rule: number, tool, input, kind: family, by })),
  );
  const kinds = [...new Set(calls.map(({ kind }) => kind))];
  return {
    session: session ?? null,
    tried: rules.reduce((sum, { tried }) => sum + tried, 0),
    unasked: calls.length,
    rules: rules.map(({ number, rule, mode, tried, held, left, others, unasked, why }) => ({
      rule: number,
      decision: rule.decision,
      tool: rule.tool ?? null,
      command: rule.command ?? null,
      path: rule.path ?? null,
      host: rule.host ?? null,
      mode,
      tried,
      held,
      left,
      others,
      unasked: unasked.length,
      not_tried: why ?? null,
    })),
    calls,
    kinds: Object.fromEntries(kinds.map((kind) => [kind, words(kind)])),
  };
}
