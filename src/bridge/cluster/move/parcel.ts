// A conversation on its way: one line that says what it is, then its files in pieces, then an end. JSON, a line each.
import { z } from 'zod';
import { CarriedFiles } from '../../../protocol/cluster/carried-files.ts';
import { CarriedState } from '../../../protocol/cluster/cluster-copy.ts';

/** Bytes of a file in one line. */
export const pieceBytes = 128 * 1024;
/** Longest line, characters: the state of a conversation holds its last answers. */
export const longestLine = 64 * 1024 * 1024;

export const ParcelHead = z.object({
  kind: z.literal('conversation'),
  version: z.literal(1),
  session: z.string().min(1).max(256),
  from: z.string().max(32),
  /** Claude Code's session id; null before its first one. */
  claude: z.uuid().nullable(),
  state: CarriedState,
  files: CarriedFiles.optional(),
});
export type ParcelHead = z.infer<typeof ParcelHead>;

const Piece = z.object({ kind: z.literal('transcript'), data: z.base64() });
const End = z.object({ kind: z.literal('end') });

/** The conversation lives where the cluster says; look. */
const Look = z.object({ kind: z.literal('look'), session: z.string().max(256) });

export const ParcelLine = z.discriminatedUnion('kind', [ParcelHead, Piece, End, Look]);
export type ParcelLine = z.infer<typeof ParcelLine>;

/** What comes back, as one line: all of it is on the disk there, or nothing was kept. */
export const Receipt = z.union([
  /** `files`: those of the conversation, too. An earlier release leaves them. */
  z.object({ ok: z.literal(true), files: z.boolean().optional() }),
  z.object({ ok: z.literal(false), words: z.string() }),
]);
export type Receipt = z.infer<typeof Receipt>;
