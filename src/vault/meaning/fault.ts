// Why nothing is known of what notes mean, in words for people.

import { LockBusyError } from '../../base/files/kernel-lock.ts';
import { EmbedError } from '../embed/embedder.ts';
import { isFullDisk } from '../files/full-disk.ts';
import { OtherDimensions, StoreDamage } from '../vectors/vector-store.ts';
import type { MeaningFault } from './messages.ts';

/** @returns undefined for a fault of ours */
export function faultOf(error: unknown): MeaningFault | undefined {
  if (error instanceof EmbedError) {
    const { fault, message, suggestion } = error;
    return { reason: fault, message, suggestion };
  }
  if (error instanceof OtherDimensions)
    return {
      reason: 'nonsense',
      message: `The model does not give the vectors that it gave before: ${error.message}.`,
      suggestion: 'Look whether it was replaced by another one of the same name.',
    };
  if (error instanceof StoreDamage)
    return {
      reason: 'damaged',
      message: 'The vectors of the notes are damaged, and are made anew.',
      suggestion: 'Look whether the disk of the state folder is well.',
    };
  if (error instanceof LockBusyError)
    return {
      reason: 'locked',
      message: 'Another program makes the vectors of these notes.',
      suggestion: 'Nothing has to be done: they are there when it is done.',
    };
  if (isFullDisk(error))
    return {
      reason: 'disk_full',
      message: 'The disk that holds the vectors is full; what was made before is kept.',
      suggestion: 'Free some disk space, then run index.',
    };
  return undefined;
}

export const slowFault: MeaningFault = {
  reason: 'slow',
  message: 'The model that knows what words mean did not answer in time.',
  suggestion: 'One that was not used for a while takes seconds to load: ask again in a moment.',
};

export const crashedFault: MeaningFault = {
  reason: 'crashed',
  message: 'The program that knows what words mean ended in the middle of its work.',
  suggestion: 'It is started again by itself. If that goes on, choose other embeddings or another engine.',
};
