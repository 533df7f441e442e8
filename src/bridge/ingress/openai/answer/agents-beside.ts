// What is to be said of agents that work beside a turn, while it neither writes nor uses a tool itself.
import type { Dialect } from '../../../../domain/question/dialect.ts';
import { openAsks, type Session, workingAgents } from '../../../../domain/state/session.ts';
import type { Task } from '../../../../domain/state/task.ts';
import { agentsWords } from '../../../../domain/words/progress-words.ts';

export class AgentsBeside {
  #working: readonly Task[] = [];
  /** Each is named once. */
  readonly #named = new Set<string>();
  /** When the turn itself did something last, monotonic ms. */
  quietSince: number;

  constructor(now: number) {
    this.quietSince = now;
  }

  /** While somebody is asked in the turn, nothing is said. */
  look(session: Session, turn: string): void {
    const isAsked = openAsks(session).some((ask) => ask.turn === turn);
    this.#working = isAsked ? [] : workingAgents(session);
  }

  /** One is at work that was not named yet. */
  get hasNews(): boolean {
    return this.#working.some(({ id }) => !this.#named.has(id));
  }

  /** All that are at work; only while there is news. */
  words(dialect: Dialect): string {
    for (const { id } of this.#working) this.#named.add(id);
    return agentsWords(this.#working, dialect);
  }
}
