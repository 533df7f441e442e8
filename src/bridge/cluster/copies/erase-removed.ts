import type { CopyEntry } from '../../../protocol/cluster/cluster-copy.ts';
import { CopyFullError } from './copy-store.ts';
import type { FencedSubject } from './fenced-subject.ts';

/**
 * Erases all there is of a conversation that was removed. That it was is written first: whoever finds a rest of it reads so.
 * @param at epoch ms @param release gives up its home
 * @throws OutdatedError when another node has it; what the servers say
 */
export async function eraseRemoved(
  { rows, files }: { rows: FencedSubject; files: FencedSubject },
  at: number,
  release: () => Promise<void>,
): Promise<void> {
  const event = { type: 'session.removed', forget: true };
  const removed: CopyEntry = { kind: 'happened', events: [{ at, event }] };
  await rows.append(Buffer.from(JSON.stringify(removed))).catch((error: unknown) => {
    // Room comes of what is erased.
    if (!(error instanceof CopyFullError)) throw error;
  });
  await files.forgetAll();
  await rows.forgetAll(release);
}
