// The program that indexes: a child of whoever searches, so that its work, its memory and its crash are its own.

import { KernelLock, LockBusyError } from '../../base/files/kernel-lock.ts';
import { isFullDisk } from '../files/full-disk.ts';
import { VaultMissingError } from '../files/vault-missing-error.ts';
import { Generations } from '../index/generations.ts';
import { bringUpToDate } from './bring-up-to-date.ts';
import type { IndexerNews, IndexOrder } from './order.ts';

/** How long it waits for another indexer of the same index, milliseconds. */
const lockMs = 10_000;

let isStopped = false;

const tell = (news: IndexerNews): void => {
  // Whoever asked may be gone.
  if (process.connected) process.send?.(news, undefined, undefined, () => {});
};

async function work(order: IndexOrder): Promise<IndexerNews> {
  let lock: KernelLock | undefined;
  try {
    lock = KernelLock.take(new Generations(order.dir).lock, lockMs);
    const progressed = (done: number, total: number) => tell({ type: 'progress', done, total });
    return { type: 'done', result: await bringUpToDate(order, progressed, () => isStopped) };
  } catch (error) {
    return failure(error);
  } finally {
    lock?.release();
  }
}

function failure(error: unknown): IndexerNews {
  if (error instanceof LockBusyError)
    return { type: 'failed', reason: 'busy', message: 'Another program brings this index up to date.' };
  if (error instanceof VaultMissingError)
    return { type: 'failed', reason: 'vault_missing', message: error.message };
  if (isFullDisk(error))
    return {
      type: 'failed',
      reason: 'disk_full',
      message: 'The disk that holds the index is full; what was indexed before is kept.',
    };
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return { type: 'failed', reason: 'fault', message: 'The indexer could not go on.' };
}

process.on('disconnect', () => {
  isStopped = true;
});
process.on('message', (order: IndexOrder) => void work(order).then(tell));
