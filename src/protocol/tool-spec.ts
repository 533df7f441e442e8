import { z } from 'zod';

/** A tool that the conversation's hub lends to Claude: what `hello_ack.tools` and `tools_changed` carry. */
export const ToolSpec = z.object({
  name: z.string().min(1).max(256),
  description: z.string().default(''),
  /** JSON Schema of the arguments: an object schema. */
  parameters: z.record(z.string(), z.unknown()).default({ type: 'object', properties: {} }),
});
export type ToolSpec = z.infer<typeof ToolSpec>;
