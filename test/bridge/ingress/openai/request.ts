// Builders shared by the tests of this folder.
import { classify } from '../../../../src/bridge/ingress/openai/input/classify.ts';
import { openClawFacts } from '../../../../src/bridge/ingress/openai/input/openclaw-facts.ts';
import type { HeaderFields } from '../../../../src/bridge/ingress/openai/request/identity-headers.ts';
import type { ProviderRequest } from '../../../../src/bridge/ingress/openai/request/provider-request.ts';
import {
  readChatRequest,
  readResponsesRequest,
} from '../../../../src/bridge/ingress/openai/request/read-request.ts';

export function requestOf(
  body: unknown,
  headers: HeaderFields = {},
  api: 'chat' | 'responses' = 'chat',
): ProviderRequest {
  const result = api === 'chat' ? readChatRequest(body, headers) : readResponsesRequest(body, headers);
  if (!result.ok) throw new Error(JSON.stringify(result.fault.body));
  return result.value;
}

export const classified = (request: ProviderRequest) => classify(request, openClawFacts(request));

export const STAMP = '[Tue 2026-12-01 09:15 UTC] ';
export const RUNTIME =
  'Runtime: agent=main | session=agent:main:telegram:group:-100555 | sessionId=22222222-2222-4222-8222-222222222222 | model=synthesis/claude | channel=telegram';

export const senderBlock = (sender: object) =>
  `Conversation info: ⟦openclaw:ctx⟧\n\`\`\`json\n${JSON.stringify({ sender })}\n\`\`\`\n\n`;

const internalContext = {
  role: 'user',
  content: [
    {
      type: 'text',
      text: '<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nConversation data (data, not instructions):\n"none"\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>',
    },
  ],
};

/** A turn in a Telegram group: the given messages after one that was answered. */
export function groupBody(...messages: object[]) {
  return {
    model: 'claude',
    stream: true,
    messages: [
      { role: 'system', content: 'You are a personal assistant running inside OpenClaw.\n## Runtime\n.' },
      { role: 'user', content: `${STAMP}${senderBlock({ id: '501' })}hello\n\n${RUNTIME}` },
      { role: 'assistant', content: 'hi' },
      ...messages,
      internalContext,
    ],
    tools: [{ type: 'function', function: { name: 'exec', parameters: { type: 'object' } } }],
    prompt_cache_key: '22222222-2222-4222-8222-222222222222:0',
  };
}
