// The journal's events about what Claude Code runs beside its turns: agents, commands in the background.
import { z } from 'zod';

export const taskEvents = [
  /** Again for one that is known: it goes on, or more is known of it. */
  z.object({
    type: z.literal('task.began'),
    task: z.string(),
    kind: z.enum(['agent', 'shell', 'call']),
    title: z.string().optional(),
    turn: z.string().optional(),
    /** Number of the hook that told it. */
    hook: z.number().int(),
  }),
  z.object({
    type: z.literal('task.ended'),
    task: z.string(),
    /** In Claude Code's words, such as `completed`, `failed`, `killed`. */
    status: z.string(),
    /** Claude knows. */
    told: z.literal(true).optional(),
  }),
] as const;
