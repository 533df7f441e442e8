import { z } from 'zod';
import type { ToolSpec } from '../../../../protocol/tool-spec.ts';
import type { Message } from './provider-request.ts';
import { Content, IdentityText, imagesOf, Name, partsOf, ToolParameters, textOf } from './schema-parts.ts';

const Called = z.lazy(() =>
  z.object({
    name: z.string(),
    /** A JSON text; some servers' clients send the object itself. */
    arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).default(''),
  }),
);

const ChatMessage = z.lazy(() =>
  z
    .object({
      role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
      content: Content.nullish(),
      name: z.string().nullish(),
      tool_call_id: z.string().min(1).nullish(),
      tool_calls: z.array(z.object({ id: z.string(), function: Called.optional() })).nullish(),
      function_call: Called.nullish(),
    })
    .superRefine((message, context) => {
      if (message.role === 'tool' && !message.tool_call_id) {
        context.addIssue({ code: 'custom', path: ['tool_call_id'], message: 'a tool message needs it' });
      }
      if (message.role === 'user' && (message.content === null || message.content === undefined)) {
        context.addIssue({ code: 'custom', path: ['content'], message: 'a user message needs it' });
      }
    }),
);
type ChatMessage = z.infer<typeof ChatMessage>;

const ChatTool = z.lazy(() =>
  z
    .object({
      type: z.string().default('function'),
      function: z
        .object({ name: Name, description: z.string().nullish(), parameters: ToolParameters.nullish() })
        .optional(),
    })
    .refine((tool) => tool.type !== 'function' || tool.function !== undefined, {
      path: ['function'],
      message: 'a function tool needs it',
    }),
);

/** Body of `POST /v1/chat/completions`. Unknown fields are ignored. */
export const ChatRequest = z.lazy(() =>
  z.object({
    model: Name,
    messages: z.array(ChatMessage).min(1),
    stream: z.boolean().nullish(),
    stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
    tools: z.array(ChatTool).nullish(),
    n: z.literal(1, 'must be 1: a session gives one answer').nullish(),
    max_completion_tokens: z.number().nullish(),
    user: IdentityText.nullish(),
    prompt_cache_key: IdentityText.nullish(),
  }),
);
export type ChatRequest = z.infer<typeof ChatRequest>;

export function chatMessages(request: ChatRequest): Message[] {
  return request.messages.map(toMessage);
}

export function chatTools(request: ChatRequest): ToolSpec[] {
  return (request.tools ?? []).flatMap(({ type, function: spec }) =>
    type === 'function' && spec
      ? [
          {
            name: spec.name,
            description: spec.description ?? '',
            parameters: spec.parameters ?? { type: 'object' },
          },
        ]
      : [],
  );
}

function toMessage(message: ChatMessage): Message {
  const { role, content } = message;
  switch (role) {
    case 'system':
    case 'developer':
      return { role: 'system', text: textOf(content) };
    case 'user':
      return {
        role: 'user',
        parts: partsOf(content),
        shape: typeof content === 'string' ? 'string' : 'parts',
      };
    case 'assistant':
      return { role: 'assistant', text: textOf(content), calls: callsOf(message) };
    case 'tool':
      return { role, callId: message.tool_call_id ?? '', text: textOf(content), images: imagesOf(content) };
    case 'function': // before tool calls had ids, the name was the id
      return {
        role: 'tool',
        callId: message.name ?? '',
        text: textOf(content),
        images: imagesOf(content),
      };
    default:
      return role satisfies never;
  }
}

function callsOf(message: ChatMessage) {
  const made = (message.tool_calls ?? []).map((call) => ({
    id: call.id,
    name: call.function?.name ?? '',
    arguments: argumentsText(call.function?.arguments),
  }));
  const old = message.function_call;
  return old ? [...made, { id: old.name, name: old.name, arguments: argumentsText(old.arguments) }] : made;
}

const argumentsText = (value: string | Record<string, unknown> | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? {});
