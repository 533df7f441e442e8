// A span of time in the configuration, written as milliseconds or in words.
import { z } from 'zod';
import { durationMs, durationText } from '../base/time/duration.ts';

/**
 * Whole milliseconds, of a number of them or of a text such as `10m`. A number in a text alone is refused: for flags of
 * the command line it is seconds.
 * Its default is `prefault`: `default` is not in the JSON Schema of what is read in another form than it is written.
 * @param limits in words, too, as the error says them; from 1 ms on without any
 */
export function duration(...limits: [] | [least: string, most?: string]) {
  return limits.length === 0 ? anyDuration : durationOf(...limits);
}

function durationOf(least: string, most?: string) {
  const error = `expected ${most ? `${least} to ${most}` : `at least ${least}`}, as a number of milliseconds or a text such as "500ms", "90s", "10m" or "1h30m"`;
  const [min, max] = [durationMs(least) ?? 1, durationMs(most ?? '') ?? Number.MAX_SAFE_INTEGER];
  const milliseconds = z.number(error).int(error).min(min, error).max(max, error);
  const text = z.string().regex(durationText, error);
  const inWords = text.transform((words) => Math.round(durationMs(words) ?? 0)).pipe(milliseconds);
  return z.union([milliseconds, inWords], error);
}

/** Nearly all of them are this one. */
const anyDuration = durationOf('1ms');
