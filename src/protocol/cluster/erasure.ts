// A conversation that was removed on this machine, and of which the nats-servers may keep something still.
import { z } from 'zod';

export const Erasure = z.object({
  session: z.string(),
  /** Other machines where it lived before are to forget it, too. */
  forget: z.boolean(),
});
export type Erasure = z.infer<typeof Erasure>;

/** What `<state>/erasures.json` says. */
export const Erasures = z.object({ version: z.literal(1), due: z.array(Erasure) });
