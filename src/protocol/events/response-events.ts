// Responses of `/v1/responses` that a client may come back to by their id.
import { z } from 'zod';

/** What a request brought that was new. Pictures are not repeated here. */
const InputItem = z.union([
  z.object({ text: z.string() }),
  z.object({ call: z.string(), output: z.string() }),
]);
export type InputItem = z.infer<typeof InputItem>;

const GivenCall = z.object({ id: z.string(), name: z.string(), args: z.record(z.string(), z.unknown()) });
export type GivenCall = z.infer<typeof GivenCall>;

/** Without the prefix that the wire gives it: letters and digits. */
const response = z.string();

export const responseEvents = [
  /** Its id is about to be given out. */
  z.object({
    type: z.literal('response.opened'),
    response,
    /** The turn whose answer it reads. */
    turn: z.string(),
    /** As the client asked for it. */
    model: z.string(),
    input: z.array(InputItem),
    /** The response that it continues. */
    previous: z.string().optional(),
    /** It holds words of the bridge alone: nothing was said to Claude, so what it continues can be continued still. */
    aside: z.boolean().optional(),
  }),
  /** What it said: Claude's text with the words of the bridge around it. */
  z.object({ type: z.literal('response.closed'), response, text: z.string(), calls: z.array(GivenCall) }),
  z.object({ type: z.literal('response.deleted'), response }),
] as const;
