import type { Ask } from '../state/session.ts';

/** Whose program would run, behind the name of the tool: neither Claude Code nor the hub. '' for theirs. */
export const runBy = ({ provider }: Pick<Ask, 'provider'>): string =>
  provider === undefined ? '' : `, which the provider ${provider} runs`;
