import type { Check } from '../../../domain/views/check.ts';
import { wrapWords } from '../../text/wrap-words.ts';
import { print } from '../out.ts';
import { safeLine } from '../safe.ts';

const marks = { ok: 'ok  ', warning: 'warn', failed: 'FAIL' } as const;

const indent = 18;

/** One finding for a person, with what to do about it; on a terminal, wrapped to its width. */
export function showCheck(check: Check, columns: number | undefined = process.stdout.columns): void {
  for (const line of checkLines(check, columns)) print(line);
}

/** What was set right, in the same columns. */
export function showFixed(
  { name, message, done }: { name: string; message: string; done: boolean },
  columns: number | undefined = process.stdout.columns,
): void {
  const [line = '', ...more] = checkLines({ name, status: 'ok', message, suggestion: null }, columns);
  for (const each of [`${done ? 'DONE' : 'FAIL'}${line.slice(4)}`, ...more]) print(each);
}

/** @param columns undefined: nothing is wrapped, as programs like to read it */
export function checkLines({ name, status, message, suggestion }: Check, columns?: number): string[] {
  const width = columns === undefined ? Number.POSITIVE_INFINITY : Math.max(20, columns - indent);
  const words = [message, ...(suggestion ? [suggestion] : [])].flatMap((text) =>
    wrapWords(safeLine(text), width),
  );
  const head = `${marks[status]}  ${safeLine(name).padEnd(indent - 8)}  `;
  const below = (lines: string[]) => lines.map((line) => `${' '.repeat(indent)}${line}`);
  // A long name has its line to itself.
  if (head.length > indent) return [head.trimEnd(), ...below(words)];
  return [`${head}${words[0] ?? ''}`, ...below(words.slice(1))];
}
