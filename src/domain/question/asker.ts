import { type Dialect, inline } from './dialect.ts';
import { shortLine } from './short-line.ts';

/** Longest title of an agent that is shown, characters. */
const longestTitle = 60;

/**
 * Who asks, at the beginning of a sentence: Claude itself, or an agent of it. The title is Claude's, and may be anything:
 * it stays between the quotation marks.
 */
export function askerOf(agent: { title?: string | undefined } | undefined, dialect: Dialect): string {
  if (!agent) return 'Claude';
  const title = shortLine(agent.title ?? '', longestTitle);
  return title === '' ? 'An agent of Claude' : `The agent "${inline(title, dialect)}"`;
}
