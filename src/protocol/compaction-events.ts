// What carries the state over a compaction: older rows went into the archive, and these stand for all of them.
import { z } from 'zod';
import { PanicRecord } from './panic.ts';

export const compactionEvents = [
  /** One session as it was then. It replaces whatever a reader has folded of that session. */
  z.object({
    type: z.literal('session.restored'),
    /** Form of `state`. One that is unknown was written by a later release. */
    version: z.literal(1),
    /** `SessionState` of src/domain/snapshot.ts. */
    state: z.record(z.string(), z.unknown()),
  }),
  /** Of the whole house, in front of the sessions: what is known for ever, whichever session it came from. */
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
  }),
] as const;
