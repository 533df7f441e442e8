import { z } from 'zod';
import type { ToolSpec } from '../../../../protocol/tool-spec.ts';
import type { MadeCall, Message } from './provider-request.ts';
import {
  Content,
  IdentityText,
  imagesOf,
  Name,
  partsOf,
  SaidText,
  ToolParameters,
  textOf,
} from './schema-parts.ts';

const InputItem = z.lazy(() =>
  z
    .object({
      type: z.string().default('message'),
      /** Of an `item_reference`: an item of a stored response that stands here. */
      id: z.string().max(256).nullish(),
      role: z.enum(['system', 'developer', 'user', 'assistant']).optional(),
      content: Content.nullish(),
      call_id: z.string().min(1).optional(),
      name: z.string().optional(),
      arguments: z.string().optional(),
      output: Content.nullish(),
    })
    .superRefine((item, context) => {
      const needs = (field: 'role' | 'content' | 'call_id' | 'name' | 'output') => {
        if (item[field] !== undefined && item[field] !== null) return;
        context.addIssue({ code: 'custom', path: [field], message: `a ${item.type} item needs it` });
      };
      if (item.type === 'message') for (const field of ['role', 'content'] as const) needs(field);
      if (item.type === 'function_call') for (const field of ['call_id', 'name'] as const) needs(field);
      if (item.type === 'function_call_output')
        for (const field of ['call_id', 'output'] as const) needs(field);
    }),
);
type InputItem = z.infer<typeof InputItem>;

const ResponsesTool = z.lazy(() =>
  z
    .object({
      type: z.string().default('function'),
      name: Name.optional(),
      description: z.string().nullish(),
      parameters: ToolParameters.nullish(),
    })
    .refine((tool) => tool.type !== 'function' || tool.name !== undefined, {
      path: ['name'],
      message: 'a function tool needs it',
    }),
);

/** Body of `POST /v1/responses`. Unknown fields are ignored. */
export const ResponsesRequest = z.lazy(() =>
  z.object({
    model: Name,
    input: z.union([SaidText, z.array(InputItem).min(1)], 'expected a text or a list of items'),
    instructions: SaidText.nullish(),
    stream: z.boolean().nullish(),
    tools: z.array(ResponsesTool).nullish(),
    user: IdentityText.nullish(),
    prompt_cache_key: IdentityText.nullish(),
    store: z.boolean().nullish(),
    previous_response_id: z.string().min(1).max(256).nullish(),
    conversation: z
      .null(
        'there are no conversation objects here: continue with previous_response_id, or send the whole input',
      )
      .optional(),
  }),
);
export type ResponsesRequest = z.infer<typeof ResponsesRequest>;

export function responsesTools(request: ResponsesRequest): ToolSpec[] {
  return (request.tools ?? []).flatMap(({ type, name, description, parameters }) =>
    type === 'function' && name
      ? [{ name, description: description ?? '', parameters: parameters ?? { type: 'object' } }]
      : [],
  );
}

/** The stored items that stand for what was said, oldest first. */
export const referencesOf = ({ input }: ResponsesRequest): string[] =>
  typeof input === 'string'
    ? []
    : input.flatMap(({ type, id }) => (type === 'item_reference' && id ? [id] : []));

/**
 * Items → messages. A run of `function_call` and `function_call_output` items becomes one assistant message with all
 * its calls, followed by all results: clients write call, output, call, output for calls that ran side by side, and
 * a result must not vanish behind a later call. (A result seen before is recognised by its id.)
 */
export function responsesMessages(request: ResponsesRequest): Message[] {
  const messages: Message[] = request.instructions ? [{ role: 'system', text: request.instructions }] : [];
  if (typeof request.input === 'string') {
    return [...messages, { role: 'user', parts: [{ type: 'text', text: request.input }], shape: 'string' }];
  }
  let calls: MadeCall[] = [];
  let results: Message[] = [];
  const endRun = () => {
    if (calls.length > 0) messages.push({ role: 'assistant', text: '', calls });
    messages.push(...results);
    calls = [];
    results = [];
  };
  for (const item of request.input) {
    if (item.type === 'function_call') {
      calls.push({
        id: item.call_id ?? '',
        name: item.name ?? '',
        arguments: item.arguments ?? '',
      });
    } else if (item.type === 'item_reference') {
      // What it stands for was said by the assistant: only that it was, and where, matters.
      calls.push({ id: item.id ?? '', name: '', arguments: '' });
    } else if (item.type === 'function_call_output') {
      results.push({
        role: 'tool',
        callId: item.call_id ?? '',
        text: textOf(item.output),
        images: imagesOf(item.output),
      });
    } else if (item.type === 'message') {
      endRun();
      messages.push(toMessage(item));
    }
  }
  endRun();
  return messages;
}

function toMessage({ role, content }: InputItem): Message {
  switch (role) {
    case 'user':
      return {
        role: 'user',
        parts: partsOf(content),
        shape: typeof content === 'string' ? 'string' : 'parts',
      };
    case 'assistant':
      return { role: 'assistant', text: textOf(content), calls: [] };
    case 'system':
    case 'developer':
    case undefined:
      return { role: 'system', text: textOf(content) };
    default:
      return role satisfies never;
  }
}
