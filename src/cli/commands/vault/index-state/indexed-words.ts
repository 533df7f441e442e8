// What indexing has come to, in words.
import type { Envelope } from '../../../../protocol/envelope.ts';
import { countText, timeText } from '../../../output/live/progress-line.ts';
import { say, sayLines } from '../../../output/out.ts';
import { commandFor } from '../setup/choice.ts';
import { VaultFacts } from './facts.ts';
import { skippedIn, skippedLines } from './skipped.ts';
import { sayTrouble } from './trouble.ts';

export function sayIndexed(envelope: Envelope, profile: string | undefined): void {
  const facts = VaultFacts.safeParse(envelope.data).data;
  if (facts) {
    const { notes, chunks, job } = facts;
    const done = job
      ? `: ${countText(job.read ?? 0)} read, ${countText(job.removed ?? 0)} removed, ${timeText(job.took_ms)}`
      : '';
    const parts = chunks === 1 ? 'one part' : `${countText(chunks ?? 0)} parts`;
    say(`${notesText(notes ?? 0)} in ${parts} ${notes === 1 ? 'is' : 'are'} in the index${done}.`);
  }
  const skipped = skippedIn(envelope);
  if (skipped.length > 0)
    sayLines([
      `Left aside: ${skipped.length}`,
      ...skippedLines(skipped, commandFor('status --json', profile)),
    ]);
  sayTrouble(envelope, profile);
}

export const notesText = (count: number): string => (count === 1 ? 'One note' : `${countText(count)} notes`);

export const changesText = (count: number): string =>
  count === 1 ? 'one change' : `${countText(count)} changes`;
