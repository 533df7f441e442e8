// Chat Completions: chunk objects of a stream, and the object of a response in one piece.
import { type Finish, type ResponseHead, type ToolCall, type Usage, wireCall } from './answer.ts';

interface Delta {
  role?: 'assistant';
  content?: string;
  tool_calls?: {
    index: number;
    id: string;
    type: 'function';
    function: { name: string; arguments: string };
  }[];
}

export interface ChatChunk {
  id: string;
  object: 'chat.completion.chunk';
  created: number;
  model: string;
  choices: { index: 0; delta: Delta; logprobs: null; finish_reason: Finish | null }[];
  usage?: ReturnType<typeof chatUsage>;
}

function chunk(head: ResponseHead, choices: ChatChunk['choices']): ChatChunk {
  return {
    id: `chatcmpl-${head.id}`,
    object: 'chat.completion.chunk',
    created: head.created,
    model: head.model,
    choices,
  };
}

const deltaChunk = (head: ResponseHead, delta: Delta, finish: Finish | null = null): ChatChunk =>
  chunk(head, [{ index: 0, delta, logprobs: null, finish_reason: finish }]);

/** First of every stream, to be sent at once. */
export const roleChunk = (head: ResponseHead): ChatChunk =>
  deltaChunk(head, { role: 'assistant', content: '' });

export const textChunk = (head: ResponseHead, content: string): ChatChunk => deltaChunk(head, { content });

/** A sign of life during silence. A data event: SSE comments don't reset OpenClaw's timers (measured on 2026.9.6). */
export const keepAliveChunk = (head: ResponseHead): ChatChunk => textChunk(head, '');

/** @param from index of the first call, when an earlier chunk of the same response carried calls. */
export function toolCallsChunk(head: ResponseHead, calls: readonly ToolCall[], from = 0): ChatChunk {
  return deltaChunk(head, {
    tool_calls: calls.map((call, index) => {
      const { id, name, arguments: text } = wireCall(call);
      return { index: from + index, id, type: 'function', function: { name, arguments: text } };
    }),
  });
}

/** A stream without it counts as broken and is asked for up to 8 times (measured on 2026.9.6). */
export const finishChunk = (head: ResponseHead, finish: Finish): ChatChunk => deltaChunk(head, {}, finish);

export const usageChunk = (head: ResponseHead, usage: Usage): ChatChunk => ({
  ...chunk(head, []),
  usage: chatUsage(usage),
});

/** The answer in one piece. */
export function chatCompletion(
  head: ResponseHead,
  answer: { text: string; calls: readonly ToolCall[]; usage: Usage },
) {
  const calls = answer.calls.map((call) => {
    const { id, name, arguments: text } = wireCall(call);
    return { id, type: 'function' as const, function: { name, arguments: text } };
  });
  const finish: Finish = calls.length > 0 ? 'tool_calls' : 'stop';
  return {
    id: `chatcmpl-${head.id}`,
    object: 'chat.completion' as const,
    created: head.created,
    model: head.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant' as const,
          content: answer.text === '' && calls.length > 0 ? null : answer.text,
          refusal: null,
          ...(calls.length > 0 ? { tool_calls: calls } : {}),
        },
        logprobs: null,
        finish_reason: finish,
      },
    ],
    usage: chatUsage(answer.usage),
  };
}

const chatUsage = ({ input, output }: Usage) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
});
