// How much one sender may write, and the words for whoever wrote more.

export interface MessageLimits {
  /** Messages within a minute. */
  messagesPerMinute: number;
  /** UTF-16 code units of one message. */
  messageCharacters: number;
}

export const limitWindowMs = 60_000;

export type OverLimit =
  | { limit: 'length'; characters: number; most: number }
  /** `waitMs`: until the next one is taken. */
  | { limit: 'rate'; most: number; waitMs: number };

/**
 * @param taken when the sender's messages of the last minute were taken, oldest first
 * @param now on the same clock, ms
 */
export function overLimit(
  text: string,
  taken: readonly number[],
  now: number,
  { messagesPerMinute, messageCharacters }: MessageLimits,
): OverLimit | undefined {
  if (text.length > messageCharacters)
    return { limit: 'length', characters: text.length, most: messageCharacters };
  const counts = taken[taken.length - messagesPerMinute];
  if (counts === undefined) return undefined;
  return { limit: 'rate', most: messagesPerMinute, waitMs: Math.max(0, counts + limitWindowMs - now) };
}

/** @param messages how many are refused together */
export function overLimitWords(over: OverLimit, messages: number): string {
  const these = messages > 1 ? `Your last ${messages} messages were` : 'This message was';
  const head = `${these} not passed on to Claude:`;
  switch (over.limit) {
    case 'length':
      return `${head} ${over.characters} characters, and at most ${over.most} are taken at once. What you wrote before goes on. Send it in parts, or as a file.`;
    case 'rate': {
      const seconds = Math.max(1, Math.ceil(over.waitMs / 1000));
      return `${head} you wrote more than ${over.most} within a minute. What you wrote before goes on. Send it again in ${seconds} s.`;
    }
  }
}
