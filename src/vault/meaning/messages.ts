// What the program that knows what notes mean is told, and what it tells: messages between two processes of one program.
import { z } from 'zod';
import { VaultSettings } from '../../protocol/settings/vault.ts';
import type { EmbedFault } from '../embed/embedder.ts';
import type { Near } from '../vectors/vector-store.ts';

/** What it is started with. */
export const MeaningOrder = z.object({
  settings: VaultSettings,
  stateDir: z.string(),
  /** Of the index of the words. */
  dir: z.string(),
  /** Folder for the vectors. */
  vectors: z.string(),
  /** It outlives one question: parts that have no vector get one meanwhile. */
  stays: z.boolean(),
});
export type MeaningOrder = z.infer<typeof MeaningOrder>;

export type MeaningCall =
  /** What is near these words? */
  | { type: 'ask'; id: number; words: string; limit: number }
  /** A vector for each part that has none. */
  | { type: 'follow'; id: number };

/** Why nothing is known of the meaning. */
export interface MeaningFault {
  reason:
    | EmbedFault
    /** The vectors are not what was written. */
    | 'damaged'
    | 'disk_full'
    /** Another program makes the vectors. */
    | 'locked'
    | 'crashed';
  /** For people, without a path of this machine. */
  message: string;
  suggestion: string;
}

/** Parts that have a vector, of how many. */
export interface MeaningProgress {
  done: number;
  total: number;
}

export type MeaningAnswer =
  /** The nearest first, of the parts that have a vector: most of them, or all. */
  | ({ kind: 'near'; near: Near[] } & MeaningProgress)
  /** Too few parts have a vector to put them in order. */
  | ({ kind: 'building' } & MeaningProgress)
  /** Every part that the model takes has its vector. */
  | ({ kind: 'followed' } & MeaningProgress)
  | { kind: 'fault'; fault: MeaningFault };

export type MeaningNews =
  | { type: 'progress'; progress: MeaningProgress }
  | { type: 'answer'; id: number; answer: MeaningAnswer };
