// Where a message comes from, in a word or two, for whoever watches.
import type { OriginKind } from '../../../protocol/events/events.ts';
import type { Quote } from '../../../protocol/quote.ts';
import { isForwarded } from '../../message/quote.ts';

/** Where a prompt came from that nobody in a chat sent. Older journals do not tell, and its text does. */
export const adoptedFrom = (text: string, origin: OriginKind | undefined): OriginKind | 'terminal' =>
  origin ?? (text.startsWith('<task-notification>') ? 'task' : 'terminal');

const said = {
  task: 'told by a background task',
  wakeup: 'woken up by itself',
  continued: 'sent on by a Stop hook or a teammate',
  terminal: 'typed in the terminal',
};

export const adoptedWords = (text: string, origin: OriginKind | undefined): string =>
  said[adoptedFrom(text, origin)];

/** @param sender whoever sent it, which is not whoever wrote it where it is passed on */
export const sentBy = (sender: string, quotes?: readonly Quote[]): string =>
  isForwarded(quotes) ? `${sender} (forwarded)` : sender;

/** Longest title of an agent that is shown, characters. */
const longestTitle = 60;

/** `the agent "tests"`, for a line that is made safe before it is shown. @param agent as events and rows tell of it */
export function agentText({ title }: { title?: string | null | undefined }): string {
  const line = (title ?? '').slice(0, longestTitle).toWellFormed().replace(/\s+/g, ' ').trim();
  return line === '' ? 'an agent of Claude' : `the agent "${line.replaceAll('"', "'")}"`;
}
