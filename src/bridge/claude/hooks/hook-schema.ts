// Hook events of Claude Code, as far as we use them. Tolerant: unknown fields are dropped, unknown events ignored.
import { z } from 'zod';

/** Made when the first hook comes. */
const common = () => ({
  session_id: z.string().optional(),
  transcript_path: z.string().optional(),
  prompt_id: z.string().optional(),
  permission_mode: z.string().max(40).optional().catch(undefined),
  /** Present when a subagent or the compaction helper speaks. */
  agent_id: z.string().optional(),
});

const event = <N extends string, F extends z.ZodRawShape>(name: N, fields: () => F) =>
  z.lazy(() => z.object({ hook_event_name: z.literal(name), ...common(), ...fields() }));

const toolUse = () => ({
  tool_name: z.string(),
  tool_input: z.unknown(),
  tool_use_id: z.string().optional(),
});

export const PermissionRequestHook = event('PermissionRequest', () => ({
  ...toolUse(),
  /** Rules that Claude Code would add for "always"; echoed back as they are. */
  permission_suggestions: z.array(z.record(z.string(), z.unknown())).optional(),
}));
export type PermissionRequestHook = z.infer<typeof PermissionRequestHook>;

export const PostToolUseHook = event('PostToolUse', () => ({ ...toolUse(), tool_response: z.unknown() }));
export type PostToolUseHook = z.infer<typeof PostToolUseHook>;

export const MessageDisplayHook = event('MessageDisplay', () => ({
  turn_id: z.string().optional(),
  message_id: z.string(),
  index: z.int().nonnegative(),
  delta: z.string(),
  final: z.boolean().default(false),
}));
export type MessageDisplayHook = z.infer<typeof MessageDisplayHook>;

/** What Claude Code runs beside its turns. */
const backgroundTasks = () =>
  z
    .array(z.object({ id: z.string(), type: z.string(), description: z.string().optional() }))
    .optional()
    .catch(undefined);

export const StopHook = event('Stop', () => ({
  last_assistant_message: z.string().optional(),
  background_tasks: backgroundTasks(),
}));
export type StopHook = z.infer<typeof StopHook>;

export const StopFailureHook = event('StopFailure', () => ({
  error: z.string().default('unknown'),
  error_details: z.string().optional(),
  last_assistant_message: z.string().optional(),
}));
export type StopFailureHook = z.infer<typeof StopFailureHook>;

/** An agent starts, or goes on. */
const SubagentStartHook = event('SubagentStart', () => ({}));

export const SubagentStopHook = event('SubagentStop', () => ({
  background_tasks: backgroundTasks(),
}));
export type SubagentStopHook = z.infer<typeof SubagentStopHook>;

const SessionStartHook = event('SessionStart', () => ({
  source: z.string().default('startup'),
  model: z.string().optional(),
}));
export type SessionStartHook = z.infer<typeof SessionStartHook>;

export const HookEvent = z.discriminatedUnion('hook_event_name', [
  SessionStartHook,
  event('UserPromptSubmit', () => ({ prompt: z.string() })),
  MessageDisplayHook,
  event('PreToolUse', toolUse),
  PermissionRequestHook,
  PostToolUseHook,
  event('PostToolUseFailure', () => ({
    ...toolUse(),
    error: z.unknown(),
    is_interrupt: z.boolean().optional(),
  })),
  event('Notification', () => ({
    message: z.string().default(''),
    notification_type: z.string().optional(),
  })),
  /** All tools of one answer of the model are over; those that did not run have no hook of their own. */
  event('PostToolBatch', () => ({
    tool_calls: z.array(z.object({ tool_use_id: z.string() })).catch([]),
  })),
  StopHook,
  StopFailureHook,
  SubagentStartHook,
  SubagentStopHook,
  event('PreCompact', () => ({ trigger: z.string().optional() })),
  event('PostCompact', () => ({})),
  /** A settings file has changed, and is about to count: also one that switches hooks off (measured on 2.1.332). */
  event('ConfigChange', () => ({})),
  event('SessionEnd', () => ({ reason: z.string().default('other') })),
]);
export type HookEvent = z.infer<typeof HookEvent>;

/** Claude Code's status line input, the useful part. */
export const StatusLine = z.lazy(() =>
  z.looseObject({
    model: z.looseObject({ id: z.string().optional(), display_name: z.string().optional() }).optional(),
    cost: z.record(z.string(), z.unknown()).optional(),
    context_window: z.record(z.string(), z.unknown()).optional(),
    rate_limits: z.record(z.string(), z.unknown()).optional(),
    effort: z.unknown().optional(),
    version: z.string().optional(),
  }),
);
export type StatusLine = z.infer<typeof StatusLine>;
