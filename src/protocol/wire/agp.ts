// AGP, the Agent Gateway Protocol: the WebSocket between an agent's client (us) and a WeChat gateway.
// Names, kinds and numbers are the protocol's own. Tolerant in what is received, strict in what is sent.
import { z } from 'zod';

/** `disconnected → connecting → connected ⇄ reconnecting`. */
export const AgpConnectionState = z.enum(['disconnected', 'connecting', 'connected', 'reconnecting']);
export type AgpConnectionState = z.infer<typeof AgpConnectionState>;

// what is received

/** Longest foreign id, characters. */
const id = z.string().min(1).max(1024);
/** An optional label; whatever else stands in its place is as good as none. */
const label = z
  .string()
  .max(1024)
  .optional()
  .catch(undefined)
  .transform((text) => text || undefined);

/** Today only `{type: "text", text}`; other types are kept apart so that their sender can be told. */
const ReceivedBlock = z.looseObject({ type: z.string(), text: z.string().optional() });
export type ReceivedBlock = z.infer<typeof ReceivedBlock>;

/** Who a frame is about: echoed in what is sent. */
const envelope = { msg_id: label, guid: label, user_id: label };

const TurnRef = z.object({ session_id: id, prompt_id: id, agent_app: label });

const PromptMessage = z.object({
  ...envelope,
  method: z.literal('session.prompt'),
  payload: TurnRef.extend({ content: z.array(ReceivedBlock) }),
});
export type PromptMessage = z.infer<typeof PromptMessage>;

const CancelMessage = z.object({ ...envelope, method: z.literal('session.cancel'), payload: TurnRef });
export type CancelMessage = z.infer<typeof CancelMessage>;

const PingMessage = z.object({ ...envelope, method: z.literal('ping'), payload: z.unknown().optional() });
export type PingMessage = z.infer<typeof PingMessage>;

const AgpDownlink = z.discriminatedUnion('method', [PromptMessage, CancelMessage, PingMessage]);
export type AgpDownlink = z.infer<typeof AgpDownlink>;

/** A prompt that cannot be read, and still says which it is: its gateway waits for an answer all the same. */
const UnreadablePrompt = z.object({ ...envelope, method: z.literal('session.prompt'), payload: TurnRef });
export type UnreadablePrompt = z.infer<typeof UnreadablePrompt>;

// what is sent

export const ContentBlock = z.strictObject({ type: z.literal('text'), text: z.string() });
export type ContentBlock = z.infer<typeof ContentBlock>;

export const ToolCallStatus = z.enum(['pending', 'in_progress', 'completed', 'failed']);
export type ToolCallStatus = z.infer<typeof ToolCallStatus>;

export const ToolCallKind = z.enum([
  'read',
  'edit',
  'delete',
  'execute',
  'search',
  'fetch',
  'think',
  'other',
]);
export type ToolCallKind = z.infer<typeof ToolCallKind>;

export const ToolCall = z.strictObject({
  tool_call_id: z.string().min(1),
  title: z.string().optional(),
  kind: ToolCallKind.optional(),
  status: ToolCallStatus,
  /** Only once it is completed. */
  content: z.array(ContentBlock).optional(),
  /** Absolute paths. */
  locations: z.array(z.strictObject({ path: z.string().min(1) })).optional(),
});
export type ToolCall = z.infer<typeof ToolCall>;

const turnRef = { session_id: z.string().min(1), prompt_id: z.string().min(1) };

export const UpdatePayload = z.discriminatedUnion('update_type', [
  z.strictObject({ ...turnRef, update_type: z.literal('message_chunk'), content: ContentBlock }),
  z.strictObject({ ...turnRef, update_type: z.literal('tool_call'), tool_call: ToolCall }),
  z.strictObject({ ...turnRef, update_type: z.literal('tool_call_update'), tool_call: ToolCall }),
]);
export type UpdatePayload = z.infer<typeof UpdatePayload>;

export const PromptResponsePayload = z.discriminatedUnion('stop_reason', [
  z.strictObject({ ...turnRef, stop_reason: z.literal('end_turn'), content: z.array(ContentBlock).min(1) }),
  z.strictObject({ ...turnRef, stop_reason: z.literal('cancelled') }),
  z.strictObject({ ...turnRef, stop_reason: z.literal('refusal'), error: z.string().min(1) }),
  z.strictObject({ ...turnRef, stop_reason: z.literal('error'), error: z.string().min(1) }),
]);
export type PromptResponsePayload = z.infer<typeof PromptResponsePayload>;
export type StopReason = PromptResponsePayload['stop_reason'];

const sentEnvelope = {
  msg_id: z.uuidv4(),
  guid: z.string().min(1).optional(),
  user_id: z.string().min(1).optional(),
};

export const AgpUplink = z.discriminatedUnion('method', [
  z.strictObject({ ...sentEnvelope, method: z.literal('session.update'), payload: UpdatePayload }),
  z.strictObject({
    ...sentEnvelope,
    method: z.literal('session.promptResponse'),
    payload: PromptResponsePayload,
  }),
  z.strictObject({
    ...sentEnvelope,
    method: z.literal('ping'),
    payload: z.record(z.string(), z.unknown()),
  }),
]);
export type AgpUplink = z.infer<typeof AgpUplink>;

// text ↔ frame

export type AgpParsed =
  | { ok: true; message: AgpDownlink }
  | {
      ok: false;
      code: 'bad_json' | 'bad_frame' | 'unknown_method';
      /** For people. Names fields, never quotes values: they are somebody's messages. */
      words: string;
      /** Set when it was a prompt that can be told apart from others. */
      prompt?: UnreadablePrompt;
    };

const downlinkMethods: ReadonlySet<string> = new Set(['session.prompt', 'session.cancel', 'ping']);

/** Reads what the gateway sent. Never throws. */
export function parseAgp(text: string): AgpParsed {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, code: 'bad_json', words: 'not a JSON text' };
  }
  const read = AgpDownlink.safeParse(value);
  if (read.success) return { ok: true, message: read.data };
  const method = methodOf(value);
  if (method !== undefined && !downlinkMethods.has(method)) {
    return { ok: false, code: 'unknown_method', words: `unknown method ${shown(method)}` };
  }
  const prompt = UnreadablePrompt.safeParse(value);
  return {
    ok: false,
    code: 'bad_frame',
    words: `${method ?? 'frame'}: ${issuesOf(read.error)}`,
    ...(prompt.success && { prompt: prompt.data }),
  };
}

/** One frame as JSON text. @throws z.ZodError when it breaks the protocol: the program is wrong, not the peer. */
export function encodeAgp(frame: AgpUplink): string {
  return JSON.stringify(AgpUplink.parse(frame));
}

function methodOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('method' in value)) return undefined;
  return typeof value.method === 'string' ? value.method : undefined;
}

/** A foreign name, safe and short enough for a log line. */
const shown = (name: string): string => JSON.stringify(name.replace(/[^\x20-\x7e]/g, '?').slice(0, 40));

function issuesOf(error: z.ZodError): string {
  return error.issues
    .slice(0, 3)
    .map(({ path, code }) => (path.length > 0 ? `${path.join('.')}: ${code}` : code))
    .join('; ');
}
