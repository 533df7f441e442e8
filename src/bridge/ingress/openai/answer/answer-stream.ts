// One answer as the bytes of a stream, for either API. Holds no text, no clock and no socket: each method returns what is
// to be written, '' when there is nothing to write.
import type { Readable } from '../../../../domain/state/text.ts';
import { type Finish, type ResponseHead, smallUsage, type ToolCall } from './answer.ts';
import { longText, partsOf, sseJson } from './long-text.ts';
import {
  finishChunk,
  keepAliveChunk,
  roleChunk,
  textChunk,
  toolCallsChunk,
  usageChunk,
} from './render-chat.ts';
import {
  callEvents,
  callItem,
  closeMessage,
  completed,
  created,
  inProgress,
  type MessageItem,
  messageItem,
  type OutputItem,
  openMessage,
  type ResponsesEvent,
  textDelta,
} from './render-responses.ts';
import { DONE, sseEvent } from './sse.ts';

export interface AnswerStream {
  /** To be written at once, before anything is known. */
  open(): string;
  text(delta: string): string;
  /** A data event, for every 10 s of silence. */
  keepAlive(): string;
  /**
   * Ends the response, part by part, with `calls` if it ends because Claude called tools. Later calls of any method
   * return ''.
   */
  finish(ending: Ending): Iterable<string>;
}

interface Ending {
  /** All that {@link AnswerStream.text} was given. */
  said: Readable;
  /** Length of the newest input, for the usage estimate. */
  inputCharacters: number;
  calls?: readonly ToolCall[];
}

export interface StreamOptions {
  api: 'chat' | 'responses';
  head: ResponseHead;
  includeUsage: boolean;
}

export function answerStream({ api, head, includeUsage }: StreamOptions): AnswerStream {
  return closing(api === 'chat' ? chatStream(head, includeUsage) : responsesStream(head));
}

/** Writing after the end is harmless and writes nothing. */
function closing(stream: AnswerStream): AnswerStream {
  let ended = false;
  return {
    open: () => (ended ? '' : stream.open()),
    text: (delta) => (ended || delta === '' ? '' : stream.text(delta)),
    keepAlive: () => (ended ? '' : stream.keepAlive()),
    finish: (ending) => {
      if (ended) return [];
      ended = true;
      return stream.finish(ending);
    },
  };
}

function chatStream(head: ResponseHead, includeUsage: boolean): AnswerStream {
  // All chunks of a text are alike but for it.
  const [before = '', after = ''] = sseEvent(textChunk(head, longText)).split(longText);
  return {
    open: () => sseEvent(roleChunk(head)),
    text: (delta) => `${before}${sseJson(delta).slice(1, -1)}${after}`,
    keepAlive: () => sseEvent(keepAliveChunk(head)),
    finish({ said, inputCharacters: input, calls = [] }) {
      const finish: Finish = calls.length > 0 ? 'tool_calls' : 'stop';
      const called = calls.length > 0 ? sseEvent(toolCallsChunk(head, calls)) : '';
      const usage = includeUsage
        ? sseEvent(usageChunk(head, smallUsage({ input, output: said.length })))
        : '';
      return [`${called}${sseEvent(finishChunk(head, finish))}${usage}${DONE}`];
    },
  };
}

function responsesStream(head: ResponseHead): AnswerStream {
  const output: OutputItem[] = [];
  let sequence = 0;
  let message: { item: MessageItem; index: number } | undefined;
  const write = (events: readonly ResponsesEvent[]): string =>
    events
      .map((event) => {
        const { type, ...fields } = event;
        const numbered = { type, sequence_number: sequence, ...fields };
        sequence += 1;
        return sseEvent(numbered, type);
      })
      .join('');
  const openText = (): ResponsesEvent[] => {
    const index = output.length;
    message = { item: messageItem(head, index, 'in_progress'), index };
    return openMessage(message.item, index);
  };
  const closeText = ({ length }: Readable): ResponsesEvent[] => {
    if (!message) return [];
    const item = messageItem(head, message.index, 'completed', length === 0 ? '' : longText);
    const events = closeMessage(item, message.index);
    output.push(item);
    message = undefined;
    return events;
  };
  return {
    open: () => write([created(head)]),
    text(delta) {
      const opening = message ? [] : openText();
      if (!message) return '';
      return write([...opening, textDelta(message.item, message.index, delta)]);
    },
    keepAlive: () => write([message ? textDelta(message.item, message.index, '') : inProgress(head, output)]),
    finish({ said, inputCharacters: input, calls = [] }) {
      // An answer without words and calls is still a message: clients look for one.
      const opening = !message && calls.length === 0 ? openText() : [];
      const closing = closeText(said);
      const called = calls.flatMap((call) => {
        const index = output.length;
        const item = callItem(head, index, call);
        output.push(item);
        return callEvents(item, index);
      });
      const usage = smallUsage({ input, output: said.length });
      return partsOf(write([...opening, ...closing, ...called, completed(head, output, usage)]), said);
    },
  };
}
