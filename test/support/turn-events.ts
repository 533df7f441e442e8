// What happens to a turn, as a journal has it.
import type { SessionEvent } from '../../src/protocol/events/events.ts';

export const ready: SessionEvent = { type: 'agent.ready', pid: 1, delivery: 'terminal', health: [] };

export const queued = (turn: string): SessionEvent => ({
  type: 'turn.queued',
  turn,
  ingress: 'openai',
  text: 'hi',
  meta: {},
});

export const running = (turn: string): SessionEvent => ({ type: 'turn.running', turn, prompt: `p-${turn}` });
