import type { Check } from '../../domain/views/check.ts';
import { print } from './out.ts';
import { safeLine } from './safe.ts';

const marks = { ok: 'ok  ', warning: 'warn', failed: 'FAIL' } as const;

/** One finding for a person, with what to do about it. */
export function showCheck({ name, status, message, suggestion }: Check): void {
  print(`${marks[status]}  ${name.padEnd(10)}  ${safeLine(message)}`);
  if (suggestion) print(`      ${' '.repeat(10)}  ${safeLine(suggestion)}`);
}
