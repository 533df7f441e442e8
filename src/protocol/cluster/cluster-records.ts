// What the nodes of a cluster write for each other into their bucket.
import { z } from 'zod';

/** Key `node.<name>` of the bucket: written by that node every few seconds, last of all when it stops. */
export const NodeRecord = z.object({
  version: z.literal(1),
  node: z.string(),
  /** One start of a bridge. */
  instance: z.string(),
  release: z.string(),
  /** ISO 8601. */
  started_at: z.string(),
  sessions: z.number().int(),
  live: z.number().int(),
  /** Memory that is free, MB. */
  free_mb: z.number().int(),
  /** It gives its conversations to others, and begins none. */
  draining: z.boolean().default(false),
  /** Codes of questions that wait there, the newest of many. */
  asking: z.array(z.string()).default([]),
  /** After so long without a new record it has lost what others may take over, seconds. */
  lease_s: z.number().positive().default(30),
  /** It went in order. */
  stopped: z.boolean(),
});
export type NodeRecord = z.infer<typeof NodeRecord>;

/** Key `own.<digest of the conversation's key>` of the bucket: where it lives. */
export const HomeRecord = z.object({
  version: z.literal(1),
  session: z.string(),
  node: z.string(),
  /** ISO 8601. */
  since: z.string(),
  /** Other nodes that keep what was said in it: it lived there, or was on its way there. */
  before: z.array(z.string()).default([]),
  /** All of it is in the stream of copies, and another node may take it over. */
  takeover: z.boolean().default(false),
});
export type HomeRecord = z.infer<typeof HomeRecord>;

/** Key `forget.<unique>` of the bucket: a conversation that was removed, and the nodes that still have something of it. */
export const ForgetRecord = z.object({
  version: z.literal(1),
  /** Its own, in the bucket. */
  key: z.string(),
  session: z.string(),
  nodes: z.array(z.string()),
});
export type ForgetRecord = z.infer<typeof ForgetRecord>;
