import { durationMs } from '../base/time/duration.ts';
import { CliError } from './cli-error.ts';

/** Milliseconds of `90`, `90s`, `10m`, `2h`, `1d` or `1h30m`; a bare number is seconds. Undefined for anything else. */
export const duration = (text: string): number | undefined =>
  /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : durationMs(text);

/**
 * Epoch ms of `10m` (that long ago) or of a time such as `2026-02-03T10:00:00Z`.
 * @throws CliError `bad_time`
 */
export function pointInTime(text: string, now: number): number {
  const ago = duration(text);
  // Date.parse reads much that nobody means as a time.
  const parsed = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  const at = ago === undefined ? parsed : now - ago;
  if (Number.isFinite(at)) return Math.max(0, at);
  throw new CliError(
    'usage',
    'bad_time',
    `"${text}" is neither a span of time nor a point in it.`,
    'Write for example 10m, 2h, 1d, or 2026-02-03T10:00:00Z.',
  );
}
