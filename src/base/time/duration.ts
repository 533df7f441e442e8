const units: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90s`, `10m`, `1h30m`, `1.5h`, `500ms`: every number has its unit. */
export const durationText = /^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/;

/** Milliseconds of a text as `durationText` has it; undefined for anything else, a bare number included. */
export function durationMs(text: string): number | undefined {
  if (!durationText.test(text)) return undefined;
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/gy);
  return [...parts].reduce((sum, [, amount, unit = 's']) => sum + Number(amount) * (units[unit] ?? 0), 0);
}
