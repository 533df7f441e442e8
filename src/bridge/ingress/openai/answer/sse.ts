import { sseJson } from './long-text.ts';

/** Ends a chat completions stream. */
export const DONE = 'data: [DONE]\n\n';

/**
 * One event as a single `data:` line of JSON.
 * @param event name for the `event:` line; must not hold line breaks.
 */
export function sseEvent(payload: object | string, event?: string): string {
  const json = sseJson(payload);
  return event === undefined ? `data: ${json}\n\n` : `event: ${event}\ndata: ${json}\n\n`;
}
