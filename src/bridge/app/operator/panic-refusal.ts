import { panicTime } from '../../../domain/state/panic.ts';
import { OperatorError } from './operator-error.ts';

/** @param what did not happen, as a sentence: `Nothing was sent.` */
export const panicRefusal = (since: number, what: string): OperatorError =>
  new OperatorError(
    'panic',
    `Everything is stopped since ${panicTime(since)}. ${what}`,
    'Run `synthesis resume` to let work go on; `synthesis ps` says who stopped it, and why.',
  );
