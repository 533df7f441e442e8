import type { ClaudeRun } from '../claude-run.ts';
import { gone, pressEscape } from './deliver-typed.ts';
import { emptyBox } from './empty-box.ts';

/** How long after Esc the box may take to show the prompt again, ms. */
const putBackMs = 500;

/** Stops what Claude Code does by pressing Esc in its terminal; one at a time. */
export class Interrupt {
  #isOn = false;
  #over: Promise<void> = Promise.resolve();

  get isOn(): boolean {
    return this.#isOn;
  }

  /** Resolves when the last one is over, and the box empty. */
  get over(): Promise<void> {
    return this.#over;
  }

  begin(run: ClaudeRun): void {
    if (this.#isOn) return;
    this.#isOn = true;
    this.#over = this.#press(run);
  }

  async #press(run: ClaudeRun): Promise<void> {
    try {
      if (!(await pressEscape(run)) || gone(run)) return;
      if (run.turns.busy) run.turnIdle(true);
      // Before the first token Claude Code puts the prompt back; it must not stand in front of the next one.
      if (await run.watch.until(() => gone(run) || Boolean(run.view.box), putBackMs)) await emptyBox(run);
    } finally {
      this.#isOn = false;
      run.watch.poke();
    }
  }
}
