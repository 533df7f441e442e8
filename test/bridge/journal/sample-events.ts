import type { SessionEvent } from '../../../src/protocol/events/events.ts';

export const delta = (text: string): SessionEvent => ({
  type: 'answer.delta',
  turn: 't1',
  message: 'm1',
  index: 0,
  final: false,
  text,
});

export const queued = (text: string): SessionEvent => ({
  type: 'turn.queued',
  turn: 't1',
  ingress: 'operator',
  text,
  meta: {},
});
