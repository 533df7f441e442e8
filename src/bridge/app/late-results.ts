// Answers of tools that Claude Code may not have got: whoever asks for one again gets it, and nothing is run twice.
import { type Effect, effectsOf } from '../../domain/effects.ts';
import type { JournalRow } from '../../protocol/events/events.ts';
import { house } from '../../protocol/events/house.ts';

export type ToolResult = Omit<Extract<Effect, { type: 'answer_tool' }>, 'type'>;

/** Kept for each session, as many as the channel link keeps. */
const kept = 100;

/** Folded from the journal at a start, then let go. */
export class LateResults {
  readonly #bySession = new Map<string, ToolResult[]>();

  observe({ session, event }: JournalRow): void {
    if (session === house) return;
    // Nobody waits any more for what a process before asked.
    if (event.type === 'agent.starting' || event.type === 'agent.exited') this.#bySession.delete(session);
    if (event.type !== 'tool.answered' && event.type !== 'tool.dropped') return;
    const results = this.#bySession.get(session) ?? [];
    for (const effect of effectsOf(event))
      if (effect.type === 'answer_tool') results.push(withoutType(effect));
    this.#bySession.set(session, results.slice(-kept));
  }

  /** Oldest first. */
  of(session: string): readonly ToolResult[] {
    return this.#bySession.get(session) ?? [];
  }
}

const withoutType = ({ type: _, ...result }: Extract<Effect, { type: 'answer_tool' }>): ToolResult => result;
