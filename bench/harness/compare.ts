// Subject and reference take turns, so that a machine that becomes slower becomes slower for both.

/** @typeParam Measured what one round gives: a number, or several that belong together */
export interface Contenders<Measured = number> {
  /** One round, in milliseconds or the unit of the goal. */
  subject(): Promise<Measured>;
  /** One round, as the subject. */
  reference(): Promise<Measured>;
}

export interface Rounds<Measured = number> {
  subject: Measured[];
  reference: Measured[];
}

export interface RoundCounts {
  warmup: number;
  counted: number;
}

/** The reference goes first in even rounds, the subject in odd ones. */
export async function compare<Measured = number>(
  { subject, reference }: Contenders<Measured>,
  counts: RoundCounts,
): Promise<Rounds<Measured>> {
  const rounds: Rounds<Measured> = { subject: [], reference: [] };
  for (let n = -counts.warmup; n < counts.counted; n += 1) {
    const early = n % 2 === 0 ? await reference() : undefined;
    const ours = await subject();
    const theirs = early ?? (await reference());
    if (n < 0) continue;
    rounds.subject.push(ours);
    rounds.reference.push(theirs);
  }
  return rounds;
}

/** One number out of each round. */
export const each = <Measured>(
  { subject, reference }: Rounds<Measured>,
  number: (measured: Measured) => number,
): Rounds => ({ subject: subject.map(number), reference: reference.map(number) });
