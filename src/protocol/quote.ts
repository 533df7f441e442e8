import { z } from 'zod';

/** What came with a message and is not its writer's own. Names and times are as somebody gave them and prove nothing. */
export const Quote = z.object({
  /**
   * - `answered`: the message that this one answers
   * - `forwarded`: this message itself, which its sender only passes on; the words are the turn's text
   * - `thread`: the message that began the thread
   * - `attached`: a place, a contact: what the channel gives as data
   * - `spoken`: this message itself, which its sender said aloud; the words are what speech recognition made of it
   * - `unheard`: the same, but nobody wrote down what was said
   */
  kind: z.enum(['answered', 'forwarded', 'thread', 'attached', 'spoken', 'unheard']),
  /** What whoever wrote it is called; of `attached`, what it is. */
  by: z.string().optional(),
  /** It is Claude's own. */
  own: z.literal(true).optional(),
  at: z.string().optional(),
  /** Somebody chose this part of it. */
  part: z.literal(true).optional(),
  /** Who is said to have written it first, where whoever sent it passed it on. */
  from: z.string().optional(),
  text: z.string().optional(),
  /** Characters of it that are left out of `text`. */
  hidden: z.number().int().positive().optional(),
});
export type Quote = z.infer<typeof Quote>;
