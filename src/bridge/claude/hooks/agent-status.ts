import { StatusLine } from './hook-schema.ts';

/** What an operator wants to see of a status line; durations would change with every look. */
function statusOf(line: StatusLine): Record<string, unknown> {
  const { model, cost, context_window, rate_limits, version } = line;
  const status = {
    model: model?.display_name ?? model?.id,
    cost_usd: cost?.total_cost_usd,
    context_used_percentage: context_window?.used_percentage,
    context_tokens: contextTokens(context_window?.current_usage),
    rate_limits,
    version,
  };
  return Object.fromEntries(
    Object.entries(status).filter(([, value]) => value !== undefined && value !== null),
  );
}

/**
 * What went into Claude's newest response: that is what its context holds. The totals beside it are of the whole session
 * in older releases of Claude Code, and of the context since 2.1.132.
 */
function contextTokens(usage: unknown): number | undefined {
  if (typeof usage !== 'object' || usage === null) return undefined;
  const parts = new Map(Object.entries(usage));
  const tokens = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens']
    .map((name) => parts.get(name))
    .filter((part) => typeof part === 'number' && part >= 0);
  return tokens.length === 0 ? undefined : tokens.reduce<number>((sum, part) => sum + Number(part), 0);
}

/** The status line comes after every message; it is worth telling when something in it changed. */
export class AgentStatus {
  #told: string;

  /** @param known what was told before */
  constructor(known?: Record<string, unknown>) {
    this.#told = known ? JSON.stringify(known) : '';
  }

  /** @returns the status when it is news, undefined otherwise */
  news(body: unknown): Record<string, unknown> | undefined {
    const parsed = StatusLine.safeParse(body);
    if (!parsed.success) return undefined;
    const status = statusOf(parsed.data);
    const text = JSON.stringify(status);
    if (text === this.#told) return undefined;
    this.#told = text;
    return status;
  }
}
