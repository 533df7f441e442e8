// Whether everything is stopped. One state for the whole house, moved by the operator alone.
import type { SessionEvent } from '../../protocol/events/events.ts';
import type { PanicRecord } from '../../protocol/panic.ts';

export type Panic = { name: 'off' } | { name: 'on'; record: PanicRecord };

export type PanicMove = { type: 'panic'; record: PanicRecord } | { type: 'resume' };

const on = (_: Panic, move: PanicMove): Panic =>
  move.type === 'panic' ? { name: 'on', record: move.record } : { name: 'off' };
const off = (): Panic => ({ name: 'off' });
const stays = (panic: Panic): Panic => panic;

/** Pressed twice it holds since the first time: the later reason is not the one that stopped everything. */
const moves: Record<Panic['name'], Record<PanicMove['type'], (panic: Panic, move: PanicMove) => Panic>> = {
  off: { panic: on, resume: stays },
  on: { panic: stays, resume: off },
};

/** @returns the same state when the move changes nothing */
export const movePanic = (panic: Panic, move: PanicMove): Panic => moves[panic.name][move.type](panic, move);

/** What holds after a row of the journal, as the journal tells it. */
export function recordAfter(before: PanicRecord | undefined, event: SessionEvent): PanicRecord | undefined {
  switch (event.type) {
    case 'bridge.panicked': {
      const { type: _, ...record } = event;
      return record;
    }
    case 'bridge.resumed':
      return undefined;
    case 'bridge.compacted':
      return event.panic ?? undefined;
    default:
      return before;
  }
}

/** `2026-11-22 03:12 UTC`: who reads it may live in another time zone than the bridge. */
export const panicTime = (since: number): string =>
  `${new Date(since).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** For whoever is denied, cancelled or logged because of it. Its reason is the operator's own and goes nowhere else. */
export const stoppedWords = ({ since }: PanicRecord): string =>
  `the operator stopped everything at ${panicTime(since)}`;

/** What somebody reads whose message comes while it holds; markdown, without trailing newline. */
export const refusedText = (since: number): string =>
  `⚠️ The operator stopped everything at ${panicTime(since)}.\n\nYour message was not taken and Claude has not seen it; the conversation so far is intact. Send it again once the operator lets work go on.`;
