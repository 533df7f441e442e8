// What operators read of a panic, wherever they look.
import type { PanicView } from './control.ts';

/** `Everything is stopped since 2026-11-22 03:12 UTC by the operator, at the screen: runaway loop.` */
export function panicWords({ since, by, reason }: PanicView): string {
  const at = `${since.slice(0, 16).replace('T', ' ')} UTC`;
  return `Everything is stopped since ${at} by ${by}${reason === null ? '' : `: ${reason}`}.`;
}

export const resumeWords = '`synthesis resume` lets work go on.';

export const panicNotice = (panic: PanicView): string => `${panicWords(panic)} ${resumeWords}`;
