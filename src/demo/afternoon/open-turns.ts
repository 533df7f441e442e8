import type { JournalRow } from '../../protocol/events/events.ts';

/** How many messages of each conversation have no whole answer yet. */
export class OpenTurns {
  readonly #turns = new Map<string, Set<string>>();

  hear({ session, event }: JournalRow): void {
    if (event.type === 'turn.queued') this.#of(session).add(event.turn);
    if (event.type === 'turn.settled') this.#of(session).delete(event.turn);
  }

  count(session: string): number {
    return this.#of(session).size;
  }

  #of(session: string): Set<string> {
    const turns = this.#turns.get(session) ?? new Set();
    this.#turns.set(session, turns);
    return turns;
  }
}
