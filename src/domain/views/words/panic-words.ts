// What operators read of a panic, wherever they look.
import type { SessionEvent } from '../../../protocol/events/events.ts';
import type { PanicRecord } from '../../../protocol/panic.ts';
import type { PanicView } from '../control.ts';

export const panicView = ({ since, by, reason }: PanicRecord): PanicView => ({
  since: new Date(since).toISOString(),
  by,
  reason: reason ?? null,
});

/** What holds after a row of the journal. */
export function panicAfter(before: PanicView | null, event: SessionEvent): PanicView | null {
  if (event.type === 'bridge.panicked') return panicView(event);
  // Whoever was away while older rows were archived hears of it here.
  if (event.type === 'bridge.compacted') return event.panic && panicView(event.panic);
  return event.type === 'bridge.resumed' ? null : before;
}

/** `Everything is stopped since 2026-11-22 03:12 UTC by the operator, at the screen: runaway loop.` */
export function panicWords({ since, by, reason }: PanicView): string {
  const at = `${since.slice(0, 16).replace('T', ' ')} UTC`;
  return `Everything is stopped since ${at} by ${by}${reason === null ? '' : `: ${reason}`}.`;
}

export const resumeHint = '`synthesis resume` lets work go on.';

export const panicNotice = (panic: PanicView): string => `${panicWords(panic)} ${resumeHint}`;
