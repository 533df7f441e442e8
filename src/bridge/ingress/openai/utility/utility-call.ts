// A hub also asks the model what belongs to no conversation: what a sticker shows, how a text is summed up.
import type { OneShotPrompt } from '../../../app/ports.ts';
import { invalidRequest, type Read, read, refuse } from '../errors.ts';
import { STICKER_SYSTEM } from '../input/markers.ts';
import { dataUrlOf } from '../request/data-url.ts';
import { type Message, type Part, type ProviderRequest, systemText } from '../request/provider-request.ts';

/**
 * Whether such a call is to be answered by a Claude of its own. It has no tools and names no conversation, which a plain
 * client's first message has in common with it: what tells them apart is the header that OpenClaw's entry of this
 * provider adds, or a system prompt that is known.
 */
export function isUtilityCall(request: ProviderRequest): boolean {
  const { tools, headers, cacheKey, user } = request;
  const { session, sessionKey, sessionId, affinity } = headers;
  const names = [session, sessionKey, sessionId, affinity, cacheKey, user];
  if (tools.length > 0 || names.some((name) => name !== undefined)) return false;
  return headers.provider !== undefined || systemText(request).startsWith(STICKER_SYSTEM);
}

/** @returns a refusal when it holds what Claude cannot be given */
export function oneShotPrompt(request: ProviderRequest): Read<OneShotPrompt> {
  const messages = request.messages.filter(({ role }) => role !== 'system');
  const alone = messages.length === 1;
  const content: OneShotPrompt['content'] = [];
  for (const message of messages) {
    if (!alone) content.push({ type: 'text', text: `[${message.role}]` });
    for (const part of partsOf(message)) {
      const given = contentOf(part);
      if (typeof given === 'string') return refuse(invalidRequest(given));
      content.push(given);
    }
  }
  return read({ system: systemText(request) || noSystem, content });
}

const noSystem = 'Answer this one request.';

const pictures: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

function partsOf(message: Message): Part[] {
  if (message.role === 'user') return message.parts;
  return message.text === '' ? [] : [{ type: 'text', text: message.text }];
}

/** @returns a sentence when it cannot be given */
function contentOf(part: Part): OneShotPrompt['content'][number] | string {
  if (part.type === 'text') return part;
  if (part.type === 'unsupported') return `messages: a part of the kind ${part.kind} cannot be passed on.`;
  const data = dataUrlOf(part.url);
  if (!data) return 'messages: a picture has to be a data: URL; no other address is fetched.';
  if (!pictures.includes(data.mime)) return `messages: a picture cannot be ${data.mime}.`;
  return { type: 'image', mime: data.mime, base64: data.bytes.toString('base64') };
}
