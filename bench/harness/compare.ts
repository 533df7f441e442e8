// Subject and reference take turns, so that a machine that becomes slower becomes slower for both.

export interface Contenders {
  /** One round, in milliseconds or the unit of the goal. */
  subject(): Promise<number>;
  /** One round, as the subject. */
  reference(): Promise<number>;
}

export interface Rounds {
  subject: number[];
  reference: number[];
}

export interface RoundCounts {
  warmup: number;
  counted: number;
}

/** The reference goes first in even rounds, the subject in odd ones. */
export async function compare({ subject, reference }: Contenders, counts: RoundCounts): Promise<Rounds> {
  const rounds: Rounds = { subject: [], reference: [] };
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
