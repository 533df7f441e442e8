// Whose conversation each Claude session is, for ever: one that came over to another would recite what was said there.
import type { JournalRow } from '../../protocol/events/events.ts';
import { house } from '../../protocol/events/house.ts';

/** Filled from the journal; removed conversations keep theirs. */
export class ClaudeIds {
  readonly #owners = new Map<string, string>();

  /** Give it every stored row, old and new. The first who had an id keeps it. */
  observe({ session, event }: Pick<JournalRow, 'session' | 'event'>): void {
    if (event.type === 'session.claude') this.#take(event.claude, session);
    if (event.type === 'bridge.compacted')
      for (const [claude, owner] of Object.entries(event.claudes)) this.#take(claude, owner);
    // Nobody's any more: not even the same key may go on with it.
    if (event.type === 'session.forgotten')
      for (const claude of event.claudes) this.#owners.set(claude, house);
  }

  /** @returns the session key; undefined for an id that was never used here */
  ownerOf(claude: string): string | undefined {
    return this.#owners.get(claude);
  }

  /** Claude's session id → session key: what a compaction carries over. */
  all(): Record<string, string> {
    return Object.fromEntries(this.#owners);
  }

  #take(claude: string, session: string): void {
    if (!this.#owners.has(claude)) this.#owners.set(claude, session);
  }
}
