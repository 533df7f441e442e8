import { escapeUnits } from '../../../base/escape-units.ts';

/** Ends a chat completions stream. */
export const DONE = 'data: [DONE]\n\n';

/**
 * One event as a single `data:` line of JSON. JSON escapes every line break of SSE and lone surrogates; U+0085, U+2028
 * and U+2029 are escaped, too, because clients that split lines the Python way break there.
 * @param event name for the `event:` line; must not hold line breaks.
 */
export function sseEvent(payload: object | string, event?: string): string {
  const json = JSON.stringify(payload).replace(/[\x7f-\x9f\u2028\u2029]+/g, escapeUnits);
  return event === undefined ? `data: ${json}\n\n` : `event: ${event}\ndata: ${json}\n\n`;
}
