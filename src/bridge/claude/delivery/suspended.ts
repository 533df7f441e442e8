// Ctrl+Z in Claude's terminal: Claude Code gives the terminal back to a shell, and there is none above it. As in tmux it goes
// on at once.
import type { ClaudeRun } from '../claude-run.ts';

/** Ctrl+Z, as terminals send it: plain, and by the two protocols in which keys have numbers. */
const suspendKey = /\x1a|\x1b\[122;5u|\x1b\[27;5;122~/;
/** For Claude Code to have gone, ms: one that has not yet takes the signal for nothing. */
const goneMs = 300;

/** @param keys of somebody at the terminal */
export async function resumeAfter(
  { watch, terminal }: Pick<ClaudeRun, 'watch' | 'terminal'>,
  keys: string,
): Promise<void> {
  if (!suspendKey.test(keys)) return;
  await watch.pause(goneMs);
  terminal.kill('SIGCONT', true);
}
