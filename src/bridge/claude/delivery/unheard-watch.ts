// Sees that Claude Code's hooks are switched off, or on again. It is only said: nobody waits for what cannot come.
import type { ClaudeRun } from '../claude-run.ts';
import { gone } from './deliver-typed.ts';

/** Says how the session is. @param words absent: as it should be again */
type Tell = (code: string, words: string | undefined) => void;

/** How long the hooks of what was done before may be on their way when they are switched off, ms. */
const lateMs = 500;
/** How often it is looked again whether it stands there. */
const everyMs = 1000;
/** Longest single wait, ms; then it is looked at again. */
const lookAgainMs = 60 * 60_000;

/** Runs until the process is gone. Never rejects. */
export async function watchHooks(run: ClaudeRun, tell: Tell): Promise<void> {
  let told: string | undefined;
  const isNew = () => run.hooksOff !== told || (run.hooksOff !== undefined && run.turns.busy);
  while (!gone(run)) {
    // That they are on again no hook tells for sure.
    const isSeen = await run.watch.until(
      () => gone(run) || isNew(),
      told === undefined ? lookAgainMs : everyMs,
    );
    if (!isSeen && told !== undefined) await run.lookAtHooks();
    if (gone(run)) return;
    if (run.hooksOff !== told) {
      told = run.hooksOff;
      tell('hooks_off', told === undefined ? undefined : offWords(told));
    }
    await run.watch.until(() => gone(run) || run.hooksOff === undefined, lateMs);
    if (run.hooksOff !== undefined && run.turns.busy) run.unheard();
  }
}

const offWords = (why: string): string =>
  `Claude Code's hooks do not reach the bridge: ${why}. Claude's answers cannot be heard. Change it in that file.`;
