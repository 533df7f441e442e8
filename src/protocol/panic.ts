import { z } from 'zod';

/** Everything was stopped: when, by whom, why. Kept in the journal, and in a file of its own for the next start. */
export const PanicRecord = z.object({
  /** Wall clock, epoch ms. */
  since: z.number(),
  /** For people: `the operator, at the command line`. */
  by: z.string(),
  reason: z.string().optional(),
});
export type PanicRecord = z.infer<typeof PanicRecord>;
