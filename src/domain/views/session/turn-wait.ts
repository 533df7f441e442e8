// What a message waits for until Claude writes, as its sender is told.
import { currentTurn, queuedTurns, type Session } from '../../state/session.ts';
import type { Turn } from '../../state/turn.ts';
import { heldLine } from '../../words/held-text.ts';

export interface TurnWait {
  state: 'queued' | 'starting' | 'dialog' | 'delivering' | 'working' | 'stopping';
  words: string;
}

/** @returns undefined when it waits for nothing any more */
export function turnWait(session: Session, { id, phase, cancelledBy }: Turn): TurnWait | undefined {
  switch (phase.name) {
    case 'queued': {
      if (phase.held) return { state: 'queued', words: heldLine(phase.held, session.key, session.claude) };
      const before =
        queuedTurns(session).findIndex((turn) => turn.id === id) + (currentTurn(session) ? 1 : 0);
      return { state: 'queued', words: lineWords(before) };
    }
    case 'joining':
      return { state: 'queued', words: 'Claude is at work and gets the message at its next step …' };
    case 'settled':
      return undefined;
    default:
      if (cancelledBy !== undefined) return { state: 'stopping', words: 'Claude is being interrupted …' };
      return phase.name === 'running'
        ? { state: 'working', words: 'Claude is working …' }
        : startWait(session.agent);
  }
}

function lineWords(before: number): string {
  if (before === 0) return 'The message is in line …';
  return `The message is in line, ${before === 1 ? 'one is' : `${before} are`} before it …`;
}

function startWait(agent: Session['agent']): TurnWait {
  switch (agent.name) {
    case 'ready':
      return { state: 'delivering', words: 'The message goes to Claude …' };
    case 'dialog':
      return { state: 'dialog', words: `Claude is starting and shows a question (${agent.dialog}) …` };
    default:
      return { state: 'starting', words: 'Claude is starting …' };
  }
}
