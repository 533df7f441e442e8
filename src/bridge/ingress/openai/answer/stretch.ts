// Tool uses of a turn that are open, and those that count as one line.
import type { ToolUse, Work } from '../../../../domain/words/progress-words.ts';

export interface OpenUse extends ToolUse {
  since: number;
}

/** Tools one behind the other, without a word of Claude's in between. */
export interface Stretch {
  /** Characters of the answer that were written before. */
  at: number;
  since: number;
  count: number;
  /** When the last of them ended. */
  ended?: number;
  longest?: Work['longest'];
  /** One of them began after the last line. */
  news: boolean;
}

export const timed = ({ tool, input, since }: OpenUse, stretch: Stretch, now: number): Work['longest'] => ({
  tool,
  input,
  ms: now - Math.max(since, stretch.since),
});
