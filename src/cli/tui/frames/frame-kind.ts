import type { SessionEvent } from '../../../protocol/events/events.ts';
import type { Tone } from '../text/line.ts';

/** What frames are filtered by. */
export const frameKinds = [
  'turn',
  'answer',
  'activity',
  'tool',
  'permission',
  'agent',
  'session',
  'other',
] as const;
export type FrameKind = (typeof frameKinds)[number];

const kinds: Record<string, FrameKind> = {
  turn: 'turn',
  answer: 'answer',
  activity: 'activity',
  tool: 'tool',
  catalog: 'tool',
  permission: 'permission',
  agent: 'agent',
  session: 'session',
  lease: 'session',
};

/** Total: a kind of event that a newer bridge brings is `other`. */
export const kindOf = ({ type }: Pick<SessionEvent, 'type'>): FrameKind =>
  kinds[type.split('.')[0] ?? ''] ?? 'other';

export const kindWords: Record<FrameKind, string> = {
  turn: 'messages on their way: queued, running, settled',
  answer: "pieces of Claude's answer",
  activity: "Claude's own tools",
  tool: "the hub's tools",
  permission: 'questions and verdicts',
  agent: 'Claude Code as a process',
  session: 'the session map and leases',
  other: 'readers and the rest',
};

export const kindTone: Record<FrameKind, Tone> = {
  turn: 'accent',
  answer: 'plain',
  activity: 'tool',
  tool: 'tool',
  permission: 'warn',
  agent: 'busy',
  session: 'good',
  other: 'dim',
};
