// What says what the rows before it have led to, so that whoever folds need not have them: they are in the archive, or a
// start need not look at each of them.
import { z } from 'zod';
import { PanicRecord } from '../panic.ts';

export const Forgetting = z.object({
  session: z.string(),
  /** Seq of the row that removed it, and of the last one that may go: see `Forgotten` of src/domain/state/removal.ts. */
  removed: z.number().int().nonnegative(),
  up_to: z.number().int().nonnegative(),
  /** Wall clock when it was removed, epoch ms. */
  at: z.number(),
  /** Its key has a new conversation, which begins behind those rows. */
  reused: z.boolean(),
});
export type Forgetting = z.infer<typeof Forgetting>;

export const compactionEvents = [
  /** One session as it was then. It replaces whatever a reader has folded of that session. */
  z.object({
    type: z.literal('session.restored'),
    /** Form of `state`. One that is unknown was written by a later release. */
    version: z.literal(1),
    /** `SessionState` of src/domain/state/snapshot.ts. */
    state: z.record(z.string(), z.unknown()),
  }),
  /**
   * Of the whole house, in front of the sessions: what is known for ever, whichever session it came from. In a journal that
   * was compacted it is the first row; where it is not, the rows before it are still there.
   */
  z.object({
    type: z.literal('bridge.compacted'),
    /** Seq of the last row in the archive. */
    origin: z.number().int().nonnegative(),
    /** Every permission code that was ever used. */
    codes: z.array(z.string()),
    /** Claude's session id → key of the session that it belongs to. */
    claudes: z.record(z.string(), z.string()),
    /** While everything is stopped. */
    panic: PanicRecord.nullable(),
    /** Which operator secret held; absent for none. */
    secret: z.string().optional(),
    /** Conversations that were removed, and whose rows are still to be forgotten. */
    forgetting: z.array(Forgetting).optional(),
    /** How many `session.restored` come right behind it. Older releases did not say it. */
    sessions: z.number().int().nonnegative().optional(),
  }),
] as const;
