import type { Ruling } from '../../src/domain/policy/ruling.ts';

/** What the policy says to a call that nobody has to be asked about. */
export const letThrough: Ruling = { decision: 'allow', why: 'the test lets it through' };
/** What it says to a tool of Claude Code's own that no rule names. */
export const noRule: Ruling = { decision: 'leave', why: 'no rule fits' };
