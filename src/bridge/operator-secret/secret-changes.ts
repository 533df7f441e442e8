// Whoever edits the configuration can take the operator secret away, or put another one in its place. So the journal
// keeps which one held, and a start that finds another says so (decision 0059).
import type { HouseEvent, JournalRow } from '../../protocol/events/events.ts';

export class SecretChanges {
  /** Which one the journal says; null for none. */
  #recorded: string | null = null;

  /** What a compaction carries over. */
  get recorded(): string | null {
    return this.#recorded;
  }

  /** Give it every row of the journal as it is loaded. */
  observe({ event }: Pick<JournalRow, 'event'>): void {
    if (event.type === 'bridge.secret') this.#recorded = event.now;
    if (event.type === 'bridge.compacted') this.#recorded = event.secret ?? null;
  }

  /**
   * Once the journal is loaded.
   * @param now fingerprint of the one that holds from now on; null for none
   * @returns the row to write, and what the operator has to know; undefined when all is as before
   */
  since(now: string | null): { event: HouseEvent; words: string; isLoss: boolean } | undefined {
    const was = this.#recorded;
    if (was === now) return undefined;
    const event: HouseEvent = { type: 'bridge.secret', now, was };
    this.#recorded = now;
    return { event, words: changeWords(was, now), isLoss: was !== null };
  }
}

function changeWords(was: string | null, now: string | null): string {
  if (now === null)
    return `The operator secret (${was}) was taken out of the configuration since the last start: decisions need no proof any more. If that was not you, see what runs as you, and set \`operator.secret\` again.`;
  if (was === null)
    return `The operator secret is in force (${now}): nothing is decided on this machine without it.`;
  return `The operator secret is another one than at the last start (${was} then, ${now} now). If that was not you, correct \`operator.secret\` and start the bridge anew.`;
}
