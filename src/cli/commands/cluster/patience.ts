import { CliError } from '../../cli-error.ts';
import { duration } from '../../duration.ts';

/** Of `--timeout`. @throws CliError `bad_time` */
export function patienceMs(timeout: string | undefined): { timeout_ms?: number } {
  if (timeout === undefined) return {};
  const ms = duration(timeout);
  if (ms !== undefined) return { timeout_ms: Math.round(ms) };
  throw new CliError(
    'usage',
    'bad_time',
    `"${timeout}" is not a span of time.`,
    'Write seconds, or for example 90s, 10m, 2h.',
  );
}
