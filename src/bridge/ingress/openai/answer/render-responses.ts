// Responses API: objects of the response, its items, and the events of a stream.
import { type ResponseHead, type ToolCall, type Usage, wireCall } from './answer.ts';

type ItemStatus = 'in_progress' | 'completed';

export interface MessageItem {
  id: string;
  type: 'message';
  role: 'assistant';
  status: ItemStatus;
  content: { type: 'output_text'; text: string; annotations: [] }[];
}

export interface CallItem {
  id: string;
  type: 'function_call';
  call_id: string;
  name: string;
  arguments: string;
  status: ItemStatus;
}

export type OutputItem = MessageItem | CallItem;

const outputText = (text: string): MessageItem['content'][number] => ({
  type: 'output_text',
  text,
  annotations: [],
});

/** @param index of the item in the response's output; makes its id. Without text it has no content yet. */
export const messageItem = (
  head: ResponseHead,
  index: number,
  status: ItemStatus,
  text?: string,
): MessageItem => ({
  id: `msg_${head.id}${index}`,
  type: 'message',
  role: 'assistant',
  status,
  content: text === undefined ? [] : [outputText(text)],
});

export function callItem(head: ResponseHead, index: number, call: ToolCall): CallItem {
  const { id, name, arguments: text } = wireCall(call);
  return {
    id: `fc_${head.id}${index}`,
    type: 'function_call',
    call_id: id,
    name,
    arguments: text,
    status: 'completed',
  };
}

export type ResponseStatus = 'in_progress' | 'completed' | 'failed' | 'cancelled';

/** The response itself; `usage` only once it is complete. @param error why it failed, in words */
export const responseObject = (
  head: ResponseHead,
  output: readonly OutputItem[],
  usage?: Usage,
  status: ResponseStatus = usage ? 'completed' : 'in_progress',
  error?: string,
) => ({
  id: `resp_${head.id}`,
  object: 'response' as const,
  created_at: head.created,
  status,
  background: false,
  error: error === undefined ? null : { code: 'server_error' as const, message: error },
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  model: head.model,
  output: [...output],
  parallel_tool_calls: true,
  previous_response_id: head.previous ?? null,
  store: head.stored ?? false,
  temperature: null,
  tool_choice: 'auto' as const,
  text: { format: { type: 'text' as const } },
  tools: [],
  top_p: null,
  truncation: 'disabled' as const,
  usage: usage ? responsesUsage(usage) : null,
});

const responsesUsage = ({ input, output }: Usage) => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: input + output,
});

/** One event of the stream, without the `sequence_number` that its place gives it. */
export type ResponsesEvent = { type: string } & Record<string, unknown>;

export const created = (head: ResponseHead): ResponsesEvent => ({
  type: 'response.created',
  response: responseObject(head, []),
});

/** A sign of life while no text item is open. */
export const inProgress = (head: ResponseHead, output: readonly OutputItem[]): ResponsesEvent => ({
  type: 'response.in_progress',
  response: responseObject(head, output),
});

export const completed = (
  head: ResponseHead,
  output: readonly OutputItem[],
  usage: Usage,
): ResponsesEvent => ({ type: 'response.completed', response: responseObject(head, output, usage) });

export const openMessage = (item: MessageItem, index: number): ResponsesEvent[] => [
  { type: 'response.output_item.added', output_index: index, item },
  {
    type: 'response.content_part.added',
    item_id: item.id,
    output_index: index,
    content_index: 0,
    part: outputText(''),
  },
];

export const textDelta = (item: MessageItem, index: number, delta: string): ResponsesEvent => ({
  type: 'response.output_text.delta',
  item_id: item.id,
  output_index: index,
  content_index: 0,
  delta,
  logprobs: [],
});

export function closeMessage(item: MessageItem, index: number): ResponsesEvent[] {
  const at = { item_id: item.id, output_index: index, content_index: 0 };
  const [part = outputText('')] = item.content;
  return [
    { type: 'response.output_text.done', ...at, text: part.text, logprobs: [] },
    { type: 'response.content_part.done', ...at, part },
    { type: 'response.output_item.done', output_index: index, item },
  ];
}

export function callEvents(item: CallItem, index: number): ResponsesEvent[] {
  const at = { item_id: item.id, output_index: index };
  return [
    {
      type: 'response.output_item.added',
      output_index: index,
      item: { ...item, arguments: '', status: 'in_progress' },
    },
    { type: 'response.function_call_arguments.delta', ...at, delta: item.arguments },
    {
      type: 'response.function_call_arguments.done',
      ...at,
      name: item.name,
      arguments: item.arguments,
    },
    { type: 'response.output_item.done', output_index: index, item },
  ];
}
