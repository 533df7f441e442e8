import type { Needs, PolicyDecision } from '../../protocol/settings/policy.ts';

export interface Ruling {
  /** `leave`: no opinion, Claude Code's own permission mode decides. */
  decision: PolicyDecision | 'leave';
  /** Number of the rule that decided, from 1; undefined where a default did. */
  rule?: number;
  /** The rule, and what it looked at, in words. */
  why: string;
  /** What the rule itself says to whoever is told no, or is asked. */
  reason?: string;
}

/** Grows with what it takes to get a call through. */
export function strength(decision: Ruling['decision']): number {
  switch (decision) {
    case 'allow':
      return 0;
    case 'leave':
      return 1;
    case 'ask':
      return 2;
    case 'operator':
      return 100;
    case 'deny':
      return 101;
    default:
      return 3 + decision.quorum;
  }
}

export const strictest = (rulings: readonly Ruling[]): Ruling | undefined =>
  rulings.reduce<Ruling | undefined>(
    (most, each) => (most && strength(most.decision) >= strength(each.decision) ? most : each),
    undefined,
  );

/** A person has to say yes. */
export const asks = ({ decision }: Ruling): boolean => strength(decision) >= 2 && decision !== 'deny';

/** What decided and why, with what the rule itself says. */
export const ruleWords = ({ why, reason }: Ruling): string =>
  reason === undefined ? why : `${why}: ${reason}`;

/** Who has to, where not anybody will do. */
export const needsOf = ({ decision }: Ruling): Needs | undefined =>
  decision === 'operator' || typeof decision === 'object' ? decision : undefined;

export function decisionWords(decision: Ruling['decision']): string {
  if (typeof decision === 'object') return `ask ${decision.quorum} people`;
  return decision === 'operator'
    ? 'ask the operator'
    : decision === 'leave'
      ? "leave it to Claude Code's permission mode"
      : decision;
}

/** How well a rule fits. `maybe`: it cannot be told without running it. */
export type Fit = 'yes' | 'no' | 'maybe';

export function both(...fits: readonly Fit[]): Fit {
  if (fits.includes('no')) return 'no';
  return fits.every((fit) => fit === 'yes') ? 'yes' : 'maybe';
}

export function either(...fits: readonly Fit[]): Fit {
  if (fits.includes('yes')) return 'yes';
  return fits.every((fit) => fit === 'no') ? 'no' : 'maybe';
}
