import { StatusLine } from './hook-schema.ts';

/** What an operator wants to see of a status line; durations would change with every look. */
function statusOf(line: StatusLine): Record<string, unknown> {
  const { model, cost, context_window, rate_limits, version } = line;
  const status = {
    model: model?.display_name ?? model?.id,
    cost_usd: cost?.total_cost_usd,
    context_used_percentage: context_window?.used_percentage,
    rate_limits,
    version,
  };
  return Object.fromEntries(
    Object.entries(status).filter(([, value]) => value !== undefined && value !== null),
  );
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
