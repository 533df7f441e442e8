import type { Sender } from '../../../protocol/events/events.ts';

/** Who wrote the message of a turn, and where. */
export interface Asker {
  door: string;
  id: string | null;
  name: string | null;
}

/** Turns of a conversation that are remembered: their agents may ask when they are over. */
const kept = 64;

export class Askers {
  readonly #byTurn = new Map<string, Asker>();

  add(turn: string, door: string, { id, name }: Sender = {}): void {
    this.#byTurn.set(turn, { door, id: id ?? null, name: name ?? null });
    const [oldest] = this.#byTurn.keys();
    if (this.#byTurn.size > kept && oldest !== undefined) this.#byTurn.delete(oldest);
  }

  /** @returns null when nobody is known */
  of(turn: string | null): Asker | null {
    return (turn !== null && this.#byTurn.get(turn)) || null;
  }
}
