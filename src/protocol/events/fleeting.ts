import type { SessionEvent } from './events.ts';

const types: ReadonlySet<SessionEvent['type']> = new Set([
  'answer.delta',
  'activity',
  'tool.progressed',
  'agent.status',
]);

/**
 * The last of these may get lost in an accident: Claude's transcript has them, too, or what they say is over with the
 * bridge. Nothing else may.
 */
export const isFleeting = ({ type }: SessionEvent): boolean => types.has(type);
