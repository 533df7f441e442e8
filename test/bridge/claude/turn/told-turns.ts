import type { SessionEvent } from '../../../../src/protocol/events/events.ts';

/** A turn, as the journal tells of it. */
export interface ToldTurn {
  id: string;
  prompts: string[];
  text: string;
  /** Missing while it is open. */
  outcome?: string;
  /** A Stop hook sent Claude on behind the turn before. */
  isContinued: boolean;
}

/** Every turn that Claude began, in the order in which they began. */
export function toldTurns(events: readonly SessionEvent[]): ToldTurn[] {
  const turns = new Map<string, ToldTurn>();
  const begun = (id: string, prompt: string | undefined, isContinued = false) => {
    const turn = turns.get(id) ?? { id, prompts: [], text: '', isContinued };
    if (prompt !== undefined && !turn.prompts.includes(prompt)) turn.prompts.push(prompt);
    turns.set(id, turn);
  };
  for (const event of events) {
    const turn = 'turn' in event && event.turn !== undefined ? turns.get(event.turn) : undefined;
    switch (event.type) {
      case 'turn.adopted':
        begun(event.turn, event.prompt, event.origin?.by === 'continued');
        break;
      case 'turn.running':
        begun(event.turn, event.prompt);
        break;
      case 'answer.delta':
      case 'answer.repaired':
        if (turn) turn.text += event.text;
        break;
      case 'turn.settled':
        if (turn) turn.outcome = event.outcome;
        // The bridge's own word: Claude Code has ended.
        if (event.code === 'tasks_lost') turns.delete(event.turn);
        break;
      default:
    }
  }
  return [...turns.values()];
}
