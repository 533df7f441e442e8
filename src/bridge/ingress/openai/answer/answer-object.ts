import { type ResponseHead, smallUsage, type ToolCall } from './answer.ts';
import { chatCompletion } from './render-chat.ts';
import { callItem, messageItem, type OutputItem, responseObject } from './render-responses.ts';

/** A whole answer as one JSON object, for clients that did not ask for a stream. */
export function answerObject(options: {
  api: 'chat' | 'responses';
  head: ResponseHead;
  text: string;
  /** Length of the text, where it is put in later. */
  characters?: number;
  calls?: readonly ToolCall[];
  /** Length of the newest input, for the usage estimate. */
  inputCharacters: number;
}) {
  const { api, head, text, characters = text.length, calls = [], inputCharacters } = options;
  const usage = smallUsage({ input: inputCharacters, output: characters });
  if (api === 'chat') return chatCompletion(head, { text, calls, usage });
  const output: OutputItem[] =
    text === '' && calls.length > 0 ? [] : [messageItem(head, 0, 'completed', text)];
  for (const call of calls) output.push(callItem(head, output.length, call));
  return responseObject(head, output, usage);
}

/** `GET /v1/models`. @param created wall clock, epoch seconds. */
export const modelList = (models: readonly string[], created: number) => ({
  object: 'list' as const,
  data: models.map((id) => modelObject(id, created)),
});

/** `GET /v1/models/{id}`. */
export const modelObject = (id: string, created: number) => ({
  id,
  object: 'model' as const,
  created,
  owned_by: 'synthesis',
});
