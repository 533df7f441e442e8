// What is left of a conversation whose text was deleted.
import { z } from 'zod';

const hex32 = z.string().regex(/^[0-9a-f]{32}$/);

export const forgetEvents = [
  /** Of the whole house, in the place of a row: its text is gone, and the chain goes on over it. */
  z.object({
    type: z.literal('row.forgotten'),
    /** Type of the event that stood there. */
    was: z.string(),
    /** Link of the row that stood there. */
    link: hex32,
    /** Made with the key of the audit: nobody else can pass a row off as forgotten. */
    proof: hex32,
  }),
  /** Of the whole house: a conversation was removed, and its rows are tombstones now. Neither its key nor a text. */
  z.object({
    type: z.literal('session.forgotten'),
    /** For people. */
    by: z.string(),
    /** Seq of the row that removed it. */
    removed: z.number().int().nonnegative(),
    /** How many rows became tombstones; those in the archive follow, and are not counted. */
    rows: z.number().int().nonnegative(),
    /** Permission codes of its questions, which never come again. */
    codes: z.array(z.string()),
    /** Its Claude sessions, which no other conversation may go on with. */
    claudes: z.array(z.string()),
  }),
] as const;
