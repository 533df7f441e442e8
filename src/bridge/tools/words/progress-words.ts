import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import { partEnd } from '../../../domain/state/text.ts';
import { cleanWords } from './clean-words.ts';

/** Characters. */
const longest = 200;

/**
 * How far a call is, in one short line: what the provider says of it, cleaned as all its words are, else its numbers.
 * Empty if neither says anything.
 *
 * @param secrets what the provider was given in confidence
 */
export function progressWords(
  { message = '', progress, total }: Progress,
  secrets: readonly string[],
): string {
  // Once more when it is one line: joining lines can put a secret together that was broken in two.
  const words = oneLine(cleanWords(oneLine(cleanWords(message, secrets)), secrets));
  if (words === '') return measured(progress, total);
  return words.length <= longest ? words : `${words.slice(0, partEnd(words, 0, longest - 1))}…`;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** `3 of 10`, `30 %`, `3 so far`. */
function measured(done: number, all: number | undefined): string {
  if (all === undefined) return Number.isSafeInteger(done) && done > 0 ? `${done} so far` : '';
  if (!(done >= 0 && all > 0)) return '';
  if (Number.isSafeInteger(done) && Number.isSafeInteger(all)) return `${done} of ${all}`;
  return `${Math.round(100 * Math.min(1, done / all))} %`;
}
