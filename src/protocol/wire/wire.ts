// The wire between the bridge and the channel server, protocol version 1 (docs/wire-protocol.md).
// One JSON object per WebSocket text message; names are snake_case exactly as the protocol writes them.
// Fields and frames marked "addition" are ours, optional for the other side, and listed in the document.
import { z } from 'zod';
import { ToolSpec } from '../tool-spec.ts';

/** Sent in `hello.protocol` and `hello_ack.protocol`. Rises only when an old peer would misread a frame. */
export const PROTOCOL_VERSION = 1;

/** Environment of the Claude Code process; its MCP children inherit it (wire protocol, Connection bootstrap). */
export const WireEnv = {
  bridgeUrl: 'SYNTHESIS_BRIDGE_URL',
  bridgeToken: 'SYNTHESIS_BRIDGE_TOKEN',
  openclawSession: 'SYNTHESIS_OPENCLAW_SESSION',
  claudeSession: 'SYNTHESIS_CLAUDE_SESSION',
} as const;

/** WebSocket close codes. The channel gives up on badToken, unknownSession and superseded; all others reconnect. */
export const CloseCode = {
  tooLarge: 1009,
  badFrame: 4400,
  badToken: 4401,
  unknownSession: 4404,
  helloTimeout: 4408,
  superseded: 4409,
} as const;

/** `maxPayload` of both WebSocket ends, bytes. */
export const MAX_FRAME_BYTES = 1_048_576;
/** Levels of objects and arrays in one frame. */
export const MAX_FRAME_DEPTH = 64;
/** Milliseconds between pings of the bridge (wire protocol, Health). */
export const PING_INTERVAL_MS = 30_000;
/** Unanswered pings after which the bridge calls the connection dead (wire protocol, Health). */
export const PING_MISSES = 2;
/** Milliseconds without a sign of life after which the channel reconnects: two and a half ping intervals. */
export const CHANNEL_SILENCE_MS = 75_000;
/** Most request ids in `hello.seen` and most call ids in `hello.open_calls`. */
export const MAX_HELLO_IDS = 1000;

const id = z.string().min(1).max(256);
const jsonObject = z.record(z.string(), z.unknown());

/** The code of a permission prompt: 5 letters a–z without l (Claude Code picks it; easy to read and type). */
export const PermissionCode = z.string().regex(/^[a-km-z]{5}$/, 'expected 5 letters a-z without l');
export type PermissionCode = z.infer<typeof PermissionCode>;

export const Behavior = z.enum(['allow', 'deny']);
export type Behavior = z.infer<typeof Behavior>;

/** What is known about a message. Other keys are allowed and reach Claude as text. */
const InboundMeta = z.lazy(() =>
  z.looseObject({
    chat_id: z.string().optional(),
    message_id: z.string().optional(),
    user: z.string().optional(),
    user_id: z.string().optional(),
    /** ISO 8601, a label only. */
    ts: z.string().optional(),
    source_channel: z.string().optional(),
    attachments: z.array(z.unknown()).optional(),
  }),
);

/** First frame of every connection, channel → bridge. */
export const Hello = z.lazy(() =>
  z.object({
    type: z.literal('hello'),
    openclaw_session: id,
    claude_session: id,
    pid: z.int().positive(),
    token: z.string().min(1).max(1024),
    /** Addition. Absent means 1. */
    protocol: z.int().positive().optional(),
    /** Addition: call ids whose result the channel still waits for. A call not named here has no waiter any more. */
    open_calls: z.array(id).max(MAX_HELLO_IDS).optional(),
    /** Addition: the newest request ids that this process wrote to Claude, oldest first. */
    seen: z.array(id).max(MAX_HELLO_IDS).optional(),
  }),
);
export type Hello = z.infer<typeof Hello>;

/** The hello was accepted, bridge → channel. */
export const HelloAck = z.lazy(() =>
  z.object({
    type: z.literal('hello_ack'),
    tools: z.array(ToolSpec),
    session_meta: jsonObject.optional(),
    /** Addition. Absent means 1. */
    protocol: z.int().positive().optional(),
  }),
);
export type HelloAck = z.infer<typeof HelloAck>;

/** A message for Claude. Repeating it is safe: the channel writes one `request_id` once. */
export const InboundMessage = z.lazy(() =>
  z.object({
    type: z.literal('inbound_message'),
    request_id: id,
    content: z.string(),
    meta: InboundMeta,
  }),
);
export type InboundMessage = z.infer<typeof InboundMessage>;

/** Addition, channel → bridge: the message is in Claude's stdin (or was there already). */
export const InboundWritten = z.lazy(() => z.object({ type: z.literal('inbound_written'), request_id: id }));
export type InboundWritten = z.infer<typeof InboundWritten>;

/** A verdict, bridge → channel. Repeating it is safe: the channel passes one verdict per request on. */
export const PermissionReply = z.lazy(() =>
  z.object({
    type: z.literal('permission_reply'),
    request_id: PermissionCode,
    behavior: Behavior,
  }),
);
export type PermissionReply = z.infer<typeof PermissionReply>;

/** Claude Code asks, channel → bridge. Sent again after a reconnect while unanswered; known ids are ignored. */
export const PermissionRequest = z.lazy(() =>
  z.object({
    type: z.literal('permission_request'),
    request_id: PermissionCode,
    tool: z.string().min(1).max(256),
    /** An object is the whole input; a string is Claude Code's preview, possibly cut. */
    args: z.union([jsonObject, z.string()]),
    rationale: z.string(),
  }),
);
export type PermissionRequest = z.infer<typeof PermissionRequest>;

/** Claude calls a tool, channel → bridge. Sent again after a reconnect while open: act once per `call_id`. */
export const ToolCall = z.lazy(() =>
  z.object({
    type: z.literal('tool_call'),
    call_id: id,
    tool: z.string().min(1).max(256),
    args: jsonObject,
    /** Addition: Claude's own id of the call (`toolu_…`), the key to the hooks of the same call. */
    tool_use_id: z.string().min(1).max(256).optional(),
  }),
);
export type ToolCall = z.infer<typeof ToolCall>;

/** Addition, channel → bridge: Claude no longer waits for this call. */
export const ToolCancel = z.lazy(() => z.object({ type: z.literal('tool_cancel'), call_id: id }));
export type ToolCancel = z.infer<typeof ToolCancel>;

/** Addition: `result`, or `error`, is the JSON text of an `Envelope`. */
const envelope = z.literal(true).optional();

const ToolSucceeded = z.lazy(() =>
  z.object({
    type: z.literal('tool_result'),
    call_id: id,
    ok: z.literal(true),
    /** A string reaches Claude as it is, everything else as JSON. */
    result: z.unknown().optional(),
    envelope,
  }),
);
const ToolFailed = z.lazy(() =>
  z.object({
    type: z.literal('tool_result'),
    call_id: id,
    ok: z.literal(false),
    /** Words for Claude: what happened and what to do. */
    error: z.string(),
    envelope,
  }),
);
/** The outcome of a call, bridge → channel. */
export const ToolResult = z.discriminatedUnion('ok', [ToolSucceeded, ToolFailed]);
export type ToolResult = z.infer<typeof ToolResult>;

/** Addition, bridge → channel: the whole new catalog. */
const ToolsChanged = z.lazy(() => z.object({ type: z.literal('tools_changed'), tools: z.array(ToolSpec) }));

/** Addition, channel → bridge: Claude Code has the answer to `tools/list`; a prompt sent now sees the tools.
 *  Sent after every answer, and again after each hello_ack once there was one. */
const ToolsListed = z.lazy(() => z.object({ type: z.literal('tools_listed'), count: z.int().nonnegative() }));

/** `ts`: epoch milliseconds of the sender; the pong carries the same value back. */
const Ping = z.object({ type: z.literal('ping'), ts: z.number() });
const Pong = z.object({ type: z.literal('pong'), ts: z.number() });

/** Addition: why the sender closes the socket next. */
const ErrorFrame = z.lazy(() =>
  z.object({
    type: z.literal('error'),
    code: z.string().min(1).max(64),
    message: z.string(),
  }),
);

/** Channel → bridge. */
export const ChannelFrame = z.discriminatedUnion('type', [
  Hello,
  InboundWritten,
  ToolsListed,
  ToolCall,
  ToolCancel,
  PermissionRequest,
  Ping,
  Pong,
  ErrorFrame,
]);
export type ChannelFrame = z.infer<typeof ChannelFrame>;

/** Bridge → channel. */
export const BridgeFrame = z.discriminatedUnion('type', [
  HelloAck,
  InboundMessage,
  PermissionReply,
  ToolResult,
  ToolsChanged,
  Ping,
  Pong,
  ErrorFrame,
]);
export type BridgeFrame = z.infer<typeof BridgeFrame>;

export type WireFrame = ChannelFrame | BridgeFrame;
