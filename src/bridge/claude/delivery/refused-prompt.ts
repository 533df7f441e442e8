// Another UserPromptSubmit hook of the user's may refuse what Claude Code was given: the turn that began is over without a
// word. Its text is back in the box, and the reason in the transcript 260 ms after that was drawn (measured on 2.1.332).
import type { ClaudeRun } from '../claude-run.ts';
import { titleState } from '../screen/screen-reader.ts';
import { type Refusal, readRefusal } from '../turn/refusal.ts';
import { emptyBox, gone } from './deliver-typed.ts';

/** How long the reason may take to be written, ms, and how often it is looked for meanwhile. */
const writtenMs = 1200;
const everyMs = 100;
/** Longest single wait, ms; then it is looked at again. */
const lookAgainMs = 60 * 60_000;

export class RefusedPrompt {
  #isOn = false;
  /** Of the refusal that was told last. */
  #told: string | undefined;

  /** It is being found out, and told here. */
  get isOn(): boolean {
    return this.#isOn;
  }

  /** Runs until the process is gone. Never rejects. */
  async watch(run: ClaudeRun): Promise<void> {
    while (!gone(run)) {
      await run.watch.until(() => gone(run) || seemsRefused(run), lookAgainMs);
      if (gone(run)) return;
      this.#isOn = true;
      const turn = run.turns.running?.id;
      const isOver = () => gone(run) || run.turns.running?.id !== turn || !seemsRefused(run);
      const refusal = await this.#find(run, isOver);
      // The next one would be typed behind it.
      if (refusal && run.view.box !== '') await emptyBox(run);
      if (refusal && run.turns.running?.id === turn)
        run.emit([{ type: 'turn.failed', code: 'prompt_blocked', detail: refusal.reason }]);
      this.#isOn = false;
      run.watch.poke();
      await run.watch.until(isOver, lookAgainMs);
    }
  }

  async #find(run: ClaudeRun, isOver: () => boolean): Promise<Refusal | undefined> {
    const { transcript } = run.identity;
    const deadline = run.clock.now() + writtenMs;
    while (transcript !== undefined && !isOver()) {
      const refusal = await readRefusal(transcript);
      if (refusal && refusal.id !== this.#told) {
        this.#told = refusal.id;
        return refusal;
      }
      if (run.clock.now() >= deadline) return undefined;
      await run.watch.until(isOver, everyMs);
    }
    return undefined;
  }
}

/** Claude Code had the prompt, does nothing, and has said nothing. */
function seemsRefused(run: ClaudeRun): boolean {
  const { running, proven, resting, agents } = run.turns;
  if (!running || !proven || resting || running.answer.messages.length > 0) return false;
  if (run.desk.open > 0 || agents > 0 || titleState(run.terminal.title) !== 'idle') return false;
  const { box, interrupted } = run.view;
  return box !== undefined && !interrupted && (box !== '' || run.worked);
}
