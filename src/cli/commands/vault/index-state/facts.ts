// What a vault tells of itself, read again: an envelope holds whatever JSON can.
import { z } from 'zod';

const count = z.number().nullable();

export type VaultFacts = z.infer<typeof VaultFacts>;
export const VaultFacts = z.object({
  index: z.string(),
  engine: z.string(),
  notes: count,
  chunks: count,
  secrets_withheld: count,
  memories: z.string(),
  embeddings: z
    .object({ by: z.string(), model: z.string().nullable(), state: z.string(), done: count, total: count })
    .nullable(),
  job: z.object({ took_ms: z.number(), read: count, removed: count }).nullable(),
});

const Place = { file: z.string(), line: z.number() };

export const SearchFacts = z.object({
  results: z.array(z.object({ ...Place, heading: z.string(), text: z.string() })),
  withheld: z.array(z.object({ ...Place, kind: z.string() })).default([]),
});
