// What of a conversation lies in the stream of copies, as JSON: see docs/reference/cluster.md.
import { z } from 'zod';
import { CarriedFiles } from './carried-files.ts';

/** All there is of a conversation: `SessionState` of src/domain/state/snapshot.ts, form 1. */
export const CarriedState = z.looseObject({
  turns: z.array(z.unknown()),
  responses: z.array(z.unknown()),
  asks: z.array(z.unknown()),
  calls: z.array(z.unknown()),
  replies: z.array(z.unknown()),
  tools: z.array(z.unknown()),
});
export type CarriedState = z.infer<typeof CarriedState>;

/** All there is of it, as the owner that writes it begins, or goes on with less to be read. */
const Owned = z.object({
  kind: z.literal('owned'),
  version: z.literal(1),
  session: z.string(),
  node: z.string(),
  state: CarriedState,
  files: CarriedFiles.optional(),
});

/** What happened since, in order. */
const Happened = z.object({
  kind: z.literal('happened'),
  /** `at`: wall clock of the owner, epoch ms. The events are those of src/protocol/events/events.ts. */
  events: z.array(z.object({ at: z.number(), event: z.looseObject({ type: z.string() }) })),
  /** All of them, where they have changed. */
  files: CarriedFiles.optional(),
});

/** Another node takes it over: from here on nobody before can write, and what is read up to here is all there is. */
const Taken = z.object({ kind: z.literal('taken'), version: z.literal(1), node: z.string() });

export const CopyEntry = z.discriminatedUnion('kind', [Owned, Happened, Taken]);
export type CopyEntry = z.infer<typeof CopyEntry>;

/** Headers of a message in the stream of copies. */
export const copyHeaders = {
  /** Of this message alone. */
  id: 'Synthesis-Id',
  /** Which entry of its writer it is, from 1. */
  entry: 'Synthesis-Entry',
  /** Revision of `own.<digest>` with which its writer became the owner. */
  epoch: 'Synthesis-Epoch',
  /** `1/3`: which part of an entry it is, and of how many. */
  part: 'Synthesis-Part',
  /** Of a piece of a transcript: Claude Code's session id. */
  claude: 'Synthesis-Claude',
  /** Of a piece of a transcript: where its first byte lies in the file. */
  offset: 'Synthesis-Offset',
  /** Of a piece of a transcript that is written anew: how long all of it is. It counts once so much is there. */
  size: 'Synthesis-Size',
} as const;
