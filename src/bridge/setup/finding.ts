import type { Check } from '../../domain/views/check.ts';

/** What `config set`, `up` and `doctor` say alike of a setting. */
export interface Finding extends Check {
  /** It may come to be well by itself: a disk that is not mounted yet, a file that somebody else writes. */
  later?: true;
}

export const later = (check: Check, when = true): Finding => (when ? { ...check, later: true } : check);

export const toCheck = ({ later: _, ...check }: Finding): Check => check;
