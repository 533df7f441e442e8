// One tool of OpenClaw, run outside of a turn: `POST /tools/invoke`, with the rights of the gateway's owner.
import { z } from 'zod';
import { ToolFailure } from '../../../domain/tools/tool-envelope.ts';
import type { SourceChat } from './source-chat.ts';

export interface Invocation {
  tool: string;
  args: Record<string, unknown>;
  source: SourceChat;
  /** OpenClaw derives its own name of the call from it. */
  call: string;
}

/** Milliseconds for one tool. */
const toolMs = 10 * 60_000;

const Invoked = z.lazy(() =>
  z.object({
    ok: z.boolean(),
    result: z.unknown().optional(),
    error: z.object({ type: z.string().optional(), message: z.string() }).optional(),
  }),
);

const Content = z.lazy(() =>
  z.object({
    content: z.array(z.looseObject({ type: z.string().optional(), text: z.string().optional() })),
  }),
);

/**
 * @param gateway `http://127.0.0.1:18789`
 * @param signal aborts when nobody waits for it any more
 * @returns what the tool said, as text
 * @throws ToolFailure
 */
export async function invokeTool(
  gateway: string,
  token: string,
  { tool, args, source, call }: Invocation,
  signal: AbortSignal,
): Promise<string> {
  const { sessionKey, agentId, chat } = source;
  const response = await reach(new URL('/tools/invoke', gateway), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      // The policy of the chat applies, not only that of the session's key.
      ...(chat && { 'x-openclaw-message-channel': chat.name, 'x-openclaw-message-to': chat.to }),
      ...(chat?.account !== undefined && { 'x-openclaw-account-id': chat.account }),
      ...(chat?.thread !== undefined && { 'x-openclaw-thread-id': chat.thread }),
    },
    body: JSON.stringify({ tool, args, sessionKey, agentId, idempotencyKey: call }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(toolMs)]),
    redirect: 'error',
  });
  const answer = Invoked.safeParse(await body(response)).data;
  if (response.ok && answer?.ok) return resultText(answer.result);
  throw failureOf(response.status, answer?.error?.message);
}

async function reach(url: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (init.signal?.aborted) throw new ToolFailure('NO_ANSWER', 'OpenClaw did not answer in time.');
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : undefined;
    const code = cause && 'code' in cause ? String(cause.code) : 'connection failed';
    // Only a connection that never came about proves that nothing was done.
    if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EHOSTUNREACH')
      throw new ToolFailure('GATEWAY_UNREACHABLE', `The gateway of OpenClaw cannot be reached (${code}).`);
    throw new ToolFailure('NO_ANSWER', `The connection to the gateway of OpenClaw broke (${code}).`);
  }
}

async function body(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}

function failureOf(status: number, words: string | undefined): ToolFailure {
  const said = words ?? `OpenClaw answered with HTTP ${status}.`;
  switch (status) {
    case 400:
    case 413:
      return new ToolFailure('INVALID_ARGUMENTS', said);
    case 401:
      return new ToolFailure(
        'GATEWAY_REFUSED',
        'The gateway of OpenClaw does not take the configured token.',
      );
    case 403:
      return new ToolFailure('BLOCKED', said);
    case 404:
      return new ToolFailure('TOOL_NOT_AVAILABLE', said);
    case 429:
    case 503:
      return new ToolFailure('BUSY', said);
    default:
      return new ToolFailure('TOOL_FAILED', said);
  }
}

/** Texts as they are; of everything else its kind, because only text fits here. */
function resultText(result: unknown): string {
  const parts = Content.safeParse(result).data?.content;
  if (!parts) return JSON.stringify(result) ?? '';
  return parts.map(({ type = 'part', text }) => text ?? `[${type} left out]`).join('\n');
}
