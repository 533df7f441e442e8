// All sessions as an operator sees them: a snapshot of the bridge's state with every later row folded onto it, by the
// same function that the bridge folds with.
import type { JournalRow } from '../../../protocol/events/events.ts';
import { house } from '../../../protocol/events/house.ts';
import { evolve } from '../../state/evolve.ts';
import { emptySession, type Session } from '../../state/session.ts';
import { type BoardSnapshot, unpackSession } from '../snapshot.ts';
import { type AskRow, askRows } from './ask-row.ts';
import { type SessionRow, sessionRow } from './session-row.ts';
import { type TurnRow, turnRows } from './turn-row.ts';

export class Board {
  readonly #sessions = new Map<string, Session>();
  readonly #idOf: (key: string) => string;
  #seq = 0;

  /** @param idOf gives the id that people type for a key: 12 hex digits of its SHA-256. */
  constructor(idOf: (key: string) => string) {
    this.#idOf = idOf;
  }

  /** Seq of the last row that is part of it. */
  get seq(): number {
    return this.#seq;
  }

  /** Begins anew. */
  reset(snapshot: BoardSnapshot): void {
    this.#sessions.clear();
    for (const packed of snapshot.sessions) this.#sessions.set(packed.key, unpackSession(packed));
    this.#seq = snapshot.seq;
  }

  /** @returns false for a row that it had already. */
  apply({ seq, session: key, event, at }: JournalRow): boolean {
    if (seq <= this.#seq) return false;
    this.#seq = seq;
    if (key === house) return true;
    this.#sessions.set(key, evolve(this.#sessions.get(key) ?? emptySession(key), event, at));
    return true;
  }

  /** In order of opening, removed ones left out. */
  rows(): SessionRow[] {
    return this.#known().map((session) => sessionRow(session, this.#idOf(session.key)));
  }

  asks(): AskRow[] {
    return this.#known().flatMap(askRows);
  }

  /** The transcript of one session, oldest first. */
  turns(key: string): TurnRow[] {
    const session = this.#sessions.get(key);
    return session ? turnRows(session) : [];
  }

  #known(): Session[] {
    return [...this.#sessions.values()].filter((session) => !session.removed);
  }
}
