// Where a message comes from, in a word or two, for whoever watches.
import type { Quote } from '../../protocol/quote.ts';
import { isForwarded } from '../quote.ts';

/** A prompt that nobody in a chat sent: Claude Code begins such turns by itself, too. */
export const isTask = (text: string): boolean => text.startsWith('<task-notification>');

export const adoptedWords = (text: string): string =>
  isTask(text) ? 'told by a background task' : 'typed in the terminal';

/** @param sender whoever sent it, which is not whoever wrote it where it is passed on */
export const sentBy = (sender: string, quotes?: readonly Quote[]): string =>
  isForwarded(quotes) ? `${sender} (forwarded)` : sender;
