import type { SessionEvent } from '../../../protocol/events/events.ts';
import type { ToolUse } from './tool-call.ts';

type Activity = Extract<SessionEvent, { type: 'activity' }>;

/** Tool uses remembered per turn. */
const mostUses = 200;

/** What each tool use began with: its end does not say, and may come in a later prompt. */
export class ToolLog {
  readonly #turns = new Map<string, Map<string, ToolUse>>();

  use(turn: string, { tool_use: id, tool, phase, input }: Activity): ToolUse {
    const uses = this.#turns.get(turn) ?? new Map<string, ToolUse>();
    const known = uses.get(id);
    uses.delete(id);
    const use = known ?? { id, tool, ...(input !== undefined && { input }) };
    if (phase !== 'started') return use;
    this.#turns.set(turn, uses.set(id, use));
    const oldest = uses.keys().next();
    if (uses.size > mostUses && !oldest.done) uses.delete(oldest.value);
    return use;
  }

  forget(turn: string): void {
    this.#turns.delete(turn);
  }
}
