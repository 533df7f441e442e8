// The journal's events about tools that the hub lends, and about providers and theirs.
import { z } from 'zod';
import { ToolStatus } from '../envelope.ts';

export const toolEvents = [
  z.object({
    type: z.literal('tool.called'),
    turn: z.string().optional(),
    call: z.string(),
    tool: z.string(),
    args: z.record(z.string(), z.unknown()),
    tool_use: z.string().optional(),
    /** The agent that calls; absent: the main thread. */
    agent: z.string().optional(),
    /** Whose tool it is; absent: the hub's. */
    provider: z.string().optional(),
  }),
  /** How far it is. At most one a second and call, and none that says what the one before said. */
  z.object({ type: z.literal('tool.progressed'), call: z.string(), text: z.string() }),
  z.object({
    type: z.literal('tool.answered'),
    call: z.string(),
    ok: z.boolean(),
    content: z.string(),
    /** `content` is the JSON of an `Envelope`. */
    envelope: z.literal(true).optional(),
  }),
  z.object({
    type: z.literal('tool.dropped'),
    call: z.string(),
    reason: z.string(),
    /** Somebody, or the policy, said no: nobody has run it. */
    denied: z.literal(true).optional(),
  }),
  /** A provider of tools works otherwise than before. */
  z.object({
    type: z.literal('bridge.provider'),
    provider: z.string(),
    status: ToolStatus,
    /** In words; null while it is healthy. */
    reason: z.string().nullable(),
  }),
] as const;
