import type { ClaudeRun } from '../claude-run.ts';

/**
 * From the answer to `tools/list` until Claude Code has taken note of it, ms: a prompt that was submitted sooner told the
 * model in 5 of 16 starts that our server is still connecting (measured on 2.1.330; 0 of 16 with 40).
 */
const notedMs = 50;

/** Before a prompt is submitted: Claude Code has taken note of the tools that it has read. A box is filled meanwhile. */
export async function toolsNoted({
  listedAt,
  clock,
  watch,
}: Pick<ClaudeRun, 'listedAt' | 'clock' | 'watch'>): Promise<void> {
  const left = listedAt + notedMs - clock.now();
  if (left > 0) await watch.pause(left);
}
