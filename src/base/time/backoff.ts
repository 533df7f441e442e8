export interface BackoffOptions {
  /** First delay, milliseconds. */
  baseMs: number;
  /** Growth per attempt. */
  factor: number;
  /** Upper bound, milliseconds, before jitter. */
  maxMs: number;
  /** Share of the delay that is random, 0..1: the delay lies in [d·(1−jitter), d]. Default 0. */
  jitter?: number;
}

/** Milliseconds to wait before attempt `attempt` (1 = first retry). `random` is in [0, 1). */
export function backoff(
  options: BackoffOptions,
  attempt: number,
  random: () => number = Math.random,
): number {
  const delay = Math.min(options.maxMs, options.baseMs * options.factor ** Math.max(0, attempt - 1));
  return delay * (1 - (options.jitter ?? 0) * random());
}
