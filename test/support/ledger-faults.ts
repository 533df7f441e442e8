// What was lost or given twice: a pure function over what clients wrote down and what Claude was given on all machines.
import { answered } from '../../crash/history/check.ts';
import type { Entry } from '../../crash/history/entry.ts';

/** A message whose client went away once it was accepted, and asked again after a later one had been answered. */
export interface Return {
  mark: string;
  /** How often Claude had been given it before and after that. */
  before: number;
  after: number;
}

/** @param given every prompt, as often as Claude was given it */
export function ledgerFaults(
  history: readonly Entry[],
  given: readonly string[],
  returns: readonly Return[],
): string[] {
  const faults = returns.flatMap(({ mark, before, after }) =>
    before === 0 && after > 0 ? [`lost: ${mark} was accepted, and Claude got it when it was said again`] : [],
  );
  const marked = history.filter((entry): entry is Extract<Entry, { mark: string }> => 'mark' in entry);
  const returned = new Set(returns.map(({ mark }) => mark));
  for (const [mark, entries] of Map.groupBy(marked, (entry) => entry.mark)) {
    const times = timesGiven(mark, given);
    if (times > 1) faults.push(`given twice: ${mark}, ${times} times`);
    const sent = entries.find((entry) => entry.is === 'sent');
    if (!sent) continue;
    // Of who went away, or lost the connection, others in the conversation read the answer, introduced as late.
    const ended = entries.findLast((entry) => entry.is === 'ended');
    const isBroken = entries.some(({ is }) => is === 'broken');
    if (ended && (returned.has(mark) || (isBroken && ended.text === ''))) continue;
    for (const { rule, words } of answered(sent, entries))
      if (words !== undefined) faults.push(`${rule}: ${words}`);
  }
  return faults;
}

export const timesGiven = (mark: string, given: readonly string[]): number =>
  given.filter((prompt) => prompt.includes(mark)).length;
