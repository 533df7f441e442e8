import type { Rounds } from './compare.ts';
import type { Point } from './growth.ts';
import { median, spread } from './stats.ts';

/** `power`: see `exponentOf`. */
type Unit = 'MB' | 'kB' | 'power';

export interface Goal {
  id: string;
  what: string;
  against: string;
  /** Largest ratio of subject to reference that passes. Without it the row is said, and not judged. */
  atMost?: number;
  /** Largest subject that passes, in `unit`: where people count milliseconds and megabytes, and no ratios. */
  most?: number;
  /** Of what is measured; milliseconds if it is not said. */
  unit?: Unit;
  /** One sentence, shown when the goal is missed. */
  whyNotYet?: string;
}

/** `unsteady`: the reference varied too much for any judgement. `said`: there is no goal. */
type Verdict = 'pass' | 'miss' | 'unsteady' | 'failed' | 'said';

export interface Row {
  id: string;
  what: string;
  against: string;
  atMost?: number;
  most?: number;
  verdict: Verdict;
  unit?: Unit;
  /** Medians over the rounds, in `unit`, or milliseconds. */
  subject?: number;
  reference?: number;
  /** Median of the rounds' ratios: each round compares what was measured side by side. */
  ratio?: number;
  /** How much the reference varied over the rounds, see `spread`. */
  referenceSpread?: number;
  rounds?: Rounds;
  /** Of a row whose subject is a power: medians over the rounds, milliseconds. */
  curve?: readonly Point[];
  note?: string;
}

const steadiest = 0.3;

export function judge(goal: Goal, rounds: Rounds): Row {
  const { id, what, against, atMost, most, unit, whyNotYet } = goal;
  const ratio = median(rounds.subject.map((ours, n) => ours / (rounds.reference[n] ?? Number.NaN)));
  const referenceSpread = spread(rounds.reference);
  const subject = median(rounds.subject);
  const verdict = verdictOf(goal, { ratio, subject, referenceSpread });
  return {
    id,
    what,
    against,
    ...(atMost !== undefined && { atMost }),
    ...(most !== undefined && { most }),
    verdict,
    ...(unit && { unit }),
    subject,
    reference: median(rounds.reference),
    ratio,
    referenceSpread,
    rounds,
    ...notes(verdict, referenceSpread, whyNotYet),
  };
}

function verdictOf(
  { atMost, most = Number.POSITIVE_INFINITY }: Goal,
  { ratio, subject, referenceSpread }: { ratio: number; subject: number; referenceSpread: number },
): Verdict {
  if (atMost === undefined) return 'said';
  if (referenceSpread > steadiest) return 'unsteady';
  return ratio <= atMost && subject <= most ? 'pass' : 'miss';
}

function notes(verdict: Verdict, varied: number, whyNotYet: string | undefined): { note?: string } {
  if (verdict === 'miss') return whyNotYet === undefined ? {} : { note: whyNotYet };
  if (verdict !== 'unsteady') return {};
  return {
    note: `The reference varied by ${Math.round(varied * 100)} %: run it again on a quieter machine.`,
  };
}

export function failed({ id, what, against, atMost, most }: Goal, error: unknown): Row {
  const note = `It could not be measured: ${error instanceof Error ? error.message : String(error)}`;
  const goals = { ...(atMost !== undefined && { atMost }), ...(most !== undefined && { most }) };
  return { id, what, against, ...goals, verdict: 'failed', note };
}

/** 1 when a goal was missed or could not be measured; an unsteady machine is nobody's fault. */
export const exitCodeOf = (rows: readonly Row[]): number =>
  rows.some(({ verdict }) => verdict === 'miss' || verdict === 'failed') ? 1 : 0;
