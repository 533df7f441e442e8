/**
 * Splits OpenClaw's `prompt_cache_key` or affinity header, `<sessionId>:<N>`, at the last colon. `N` counts the
 * transcript's generations; without a number at the end the whole is the id.
 */
export function splitCacheKey(cacheKey: string): { sessionId: string; generation?: number } {
  const at = cacheKey.lastIndexOf(':');
  const suffix = cacheKey.slice(at + 1);
  if (at <= 0 || !/^\d{1,9}$/.test(suffix)) return { sessionId: cacheKey };
  return { sessionId: cacheKey.slice(0, at), generation: Number(suffix) };
}

/** Keys of isolated scheduled runs: `openclaw-cron-<32 hex>`, without a session id. */
export const isCronKey = (cacheKey: string): boolean => cacheKey.startsWith('openclaw-cron-');
