import type { SessionEvent } from '../protocol/events.ts';
import type { PanicRecord } from '../protocol/panic.ts';
import type { Rejection } from './rejection.ts';

export interface Limits {
  /** Messages that may wait in one session; the oldest gives way, in words. Wire protocol: N is configurable. */
  queued: number;
  /** Everything is stopped: see at-rest.ts. */
  panic?: PanicRecord;
}

export type Decision = { events: SessionEvent[] } | { rejection: Rejection };

export const nothing: Decision = { events: [] };
export const refuse = (rejection: Rejection): Decision => ({ rejection });
