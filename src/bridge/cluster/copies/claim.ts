import { type Clock, pause } from '../../../base/time/clock.ts';
import { AbandonedError, OutdatedError } from './fenced-subject.ts';

/** Until what failed is tried again, ms. */
const againMs = 250;

/**
 * Becomes the owner of a conversation, as late as that may be.
 * @param own see `SessionCopyOptions.own` @param stuck it fails for now, and is tried again
 * @returns the epoch @throws OutdatedError when another node has it; AbandonedError when it is not wanted any more
 */
export async function claim(
  own: () => Promise<number | undefined>,
  { isWanted, stuck, clock }: { isWanted(): boolean; stuck(error: unknown): void; clock: Clock },
): Promise<number> {
  while (isWanted()) {
    let epoch: number | undefined;
    try {
      epoch = await own();
    } catch (error) {
      stuck(error);
      await pause(clock, againMs);
      continue;
    }
    if (epoch === undefined) throw new OutdatedError();
    return epoch;
  }
  throw new AbandonedError();
}
