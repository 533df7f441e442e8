import type { Edition } from '../../test/real/support/bot-api.ts';

/** As `performance.now()` counts, milliseconds. Undefined: it has not come to that. */
export interface ScreenTimes {
  /** A part of the answer was on the screen. */
  first: number | undefined;
  /** All of it was, for the first time. */
  whole: number | undefined;
}

/**
 * Reads what a chat has shown.
 *
 * @param editions of any chats, oldest first
 * @param lines of the answer; a screen may cut it into messages
 * @param begin how the answer begins: enough of it to be told from any other
 */
export function screenTimes(
  editions: readonly Edition[],
  chat: number,
  { begin, lines }: { begin: string; lines: readonly string[] },
): ScreenTimes {
  const screen = new Map<number, string>();
  const times: ScreenTimes = { first: undefined, whole: undefined };
  for (const { at, id, text } of editions.filter((edition) => edition.chat === chat)) {
    if (text === undefined) screen.delete(id);
    else screen.set(id, text);
    const shown = [...screen.values()].join('\n');
    if (shown.includes(begin)) times.first ??= at;
    if (lines.every((line) => shown.includes(line))) times.whole ??= at;
  }
  return times;
}
