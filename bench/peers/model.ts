// A scripted model that streams lines, and when it was asked. Both sides have one.
import { setTimeout as pause } from 'node:timers/promises';
import type { MessagesApi } from '../../test/real/support/messages-api.ts';

/** Which both sides say that they use. */
export const claudeModel = 'claude-opus-5';

const lineCount = 20;
/** An answer takes two seconds. */
const lineMs = 100;

/** What is asked in round `name`. */
export const question = (name: string): string => `Please answer number ${name}.`;

/** How its answer begins. */
export const begin = (name: string): string => `Answer ${name}, line 0:`;

export const lines = (name: string): string[] =>
  Array.from({ length: lineCount }, (_, n) => `Answer ${name}, line ${n}: a few words that mean nothing.`);

export interface Asked {
  /** As `performance.now()` counts, milliseconds. */
  at: number;
  /** The session of the Claude Code that asked. */
  session: string;
}

/** Has the model answer questions. @returns the first request of each that was asked, by its name */
export function answerQuestions(api: MessagesApi): ReadonlyMap<string, Asked> {
  const asked = new Map<string, Asked>();
  api.on('Please answer number', async (answer, { newest, session = '' }) => {
    const at = performance.now();
    // A hub may tell again what was said before.
    const name = [...newest.matchAll(/Please answer number (\w+)\./g)].at(-1)?.[1] ?? '';
    if (!asked.has(name)) asked.set(name, { at, session });
    for (const line of lines(name)) {
      answer.text(`${line}\n`);
      await pause(lineMs);
    }
  });
  return asked;
}
