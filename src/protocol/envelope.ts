// What every tool answers with, whoever runs it. One reader understands all (docs/reference/tools.md).
import { z } from 'zod';

/** `degraded`: it works, with less than it could. `unavailable`: what was asked for cannot be had now. */
export const ToolStatus = z.enum(['healthy', 'degraded', 'unavailable']);
export type ToolStatus = z.infer<typeof ToolStatus>;

export const ToolError = z.object({
  /** `OLLAMA_UNREACHABLE`; those of the bridge are in `tool-failures.ts`. */
  code: z.string().regex(/^[A-Z][A-Z0-9_]{1,63}$/, 'expected capital letters, digits and _'),
  /** What happened, for people: no stack, no path of this machine, no secret. */
  message: z.string(),
  /** The same call, or the corrected one, may work later. */
  recoverable: z.boolean(),
  /** What to do next. */
  suggestion: z.string(),
});
export type ToolError = z.infer<typeof ToolError>;

export const ToolMeta = z.object({
  /** How long it took, milliseconds. */
  query_time_ms: z.number().nonnegative(),
  chunks_scanned: z.number().int().nonnegative().nullable(),
  index_version: z.string().nullable(),
  /** ISO 8601. */
  vault_mtime: z.string().nullable(),
});
export type ToolMeta = z.infer<typeof ToolMeta>;

export const Envelope = z
  .object({
    status: ToolStatus,
    /** What the tool gives back; null where there is nothing. */
    data: z.json(),
    error: ToolError.nullable(),
    meta: ToolMeta,
  })
  .describe('What a tool answers with.');
export type Envelope = z.infer<typeof Envelope>;
