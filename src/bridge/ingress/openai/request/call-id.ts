// Tool call ids survive OpenClaw only as letters and digits (measured on 2026.9.6): chat completions strips the rest
// (`call_a_1` → `calla1`), /v1/responses wraps the id (`a1` → `call_a1_fc_1_<10 hex>`).

/** An id as it may be sent: letters and digits only. */
export function wireCallId(id: string): string {
  const clean = id.replace(/[^A-Za-z0-9]/g, '');
  if (clean === '') throw new RangeError('A call id needs at least one letter or digit.');
  return clean;
}

/**
 * Which of `known` a client's echo means: the same id, the stripped one, or the one embedded in it.
 * @returns undefined when none fits, or several do.
 */
export function matchCallId(echo: string, known: Iterable<string>): string | undefined {
  const ids = [...known];
  if (ids.includes(echo)) return echo;
  const segments = new Set(echo.split(/[^A-Za-z0-9]+/));
  const fitting = ids.filter((id) => {
    const clean = id.replace(/[^A-Za-z0-9]/g, '');
    return clean !== '' && (clean === echo || segments.has(clean));
  });
  return fitting.length === 1 ? fitting[0] : undefined;
}
