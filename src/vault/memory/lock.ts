// One writer at a time, in all processes.

import { KernelLock, LockBusyError } from '../../base/files/kernel-lock.ts';
import { lookAtFile } from '../../base/files/private-file.ts';
import { MemoryError } from './memory-error.ts';

/** Milliseconds. */
const patience = 10_000;

/**
 * Runs `work` while no other process does so with the same file. The file stays empty.
 * @throws MemoryError when another one has held it for 10 s, or the file cannot be opened
 */
export function withLock<T>(lockFile: string, work: () => T, waitMs = patience): T {
  const lock = take(lockFile, waitMs);
  try {
    return work();
  } finally {
    lock.release();
  }
}

function take(lockFile: string, waitMs: number): KernelLock {
  try {
    lookAtFile(lockFile);
    return KernelLock.take(lockFile, waitMs);
  } catch (error) {
    throw error instanceof LockBusyError ? busy(waitMs, error) : unusable(error);
  }
}

const busy = (waitMs: number, cause: unknown): MemoryError =>
  new MemoryError(
    'memory_busy',
    `Another process has been storing memories for ${waitMs / 1_000} s; nothing was stored.`,
    'Try again in a moment.',
    cause,
  );

const unusable = (cause: unknown): MemoryError =>
  new MemoryError(
    'memory_disk',
    'The lock for memories cannot be used; nothing was stored.',
    'Check the state folder of synthesis, and whether its disk is full.',
    cause,
  );
