import type { SessionEvent } from '../../protocol/events/events.ts';
import type { PanicRecord } from '../../protocol/panic.ts';
import type { Command } from '../commands.ts';
import type { Rejection } from '../rejection.ts';
import type { Session } from '../state/session.ts';

export interface Limits {
  /** Messages that may wait in one session; the oldest gives way, in words. Wire protocol: N is configurable. */
  queued: number;
  /** Everything is stopped: see at-rest.ts. */
  panic?: PanicRecord;
  /** The disk takes nothing: what has happened waits in memory, and nothing new may begin. */
  full?: boolean;
}

/** What asks Claude for new work. */
const begins: ReadonlySet<Command['type']> = new Set([
  'turn.submit',
  'session.start',
  'session.warm',
  'session.renew',
]);

/** What comes just before the first message of a conversation: nobody has opened it, and nobody does now. */
const prepares: ReadonlySet<Command['type']> = new Set(['catalog.set', 'session.link', 'reply.owe']);

/** Whether a command would begin something, when nothing may begin. */
export const beginsWork = (session: Session, { type }: Command): boolean =>
  begins.has(type) || (prepares.has(type) && !session.ingress);

export type Decision = { events: SessionEvent[] } | { rejection: Rejection };

export const nothing: Decision = { events: [] };
export const refuse = (rejection: Rejection): Decision => ({ rejection });
