// Ends a turn of which no hook tells that it has ended: Stop was lost, somebody pressed Esc in the terminal while agents
// work, or another UserPromptSubmit hook of the user's refused the prompt. The transcript has it; the picture proves none.
import type { ClaudeRun } from '../claude-run.ts';
import { titleState } from '../screen/screen-reader.ts';
import { readEnd, type WrittenEnd } from '../turn/written-end.ts';
import { gone } from './deliver-typed.ts';
import { emptyBox } from './empty-box.ts';

/** How long the hook of an end that is written may be on its way, ms. */
const hookMs = 1000;
/** How long an end that is drawn may take to be written, ms, and how often it is looked for meanwhile. */
const writtenMs = 1200;
const everyMs = 100;
/** How often it is looked for although nothing is drawn of it, ms. */
const lookMs = 1000;
/** Longest single wait, ms; then it is looked at again. */
const lookAgainMs = 60 * 60_000;

export class UnreportedEnd {
  readonly #read: typeof readEnd;
  #isOn = false;
  /** The line of the end that was told last. */
  #told: string | undefined;

  constructor(read = readEnd) {
    this.#read = read;
  }

  /** It is being found out, and told here. */
  get isOn(): boolean {
    return this.#isOn;
  }

  /** Runs until the process is gone. Never rejects. */
  async watch(run: ClaudeRun): Promise<void> {
    while (!gone(run)) {
      await run.watch.until(() => gone(run) || isOpen(run), lookAgainMs);
      if (gone(run)) return;
      await this.#follow(run, run.turns.running?.id);
      this.#isOn = false;
      run.watch.poke();
    }
  }

  /** Until the turn is over, or rests. */
  async #follow(run: ClaudeRun, turn: string | undefined): Promise<void> {
    const isOther = () => gone(run) || run.turns.running?.id !== turn || !isOpen(run);
    let seems = false;
    let deadline = 0;
    while (!isOther()) {
      const now = run.clock.now();
      if (seemsOver(run) !== seems) {
        seems = !seems;
        deadline = now + writtenMs;
      }
      this.#isOn = seems && now < deadline;
      const end = await this.#find(run);
      if (end && (end.is === 'refused' || !(await run.watch.until(isOther, hookMs))) && !isOther())
        return this.#tell(run, end);
      await run.watch.until(() => isOther() || seemsOver(run) !== seems, this.#isOn ? everyMs : lookMs);
    }
  }

  async #find(run: ClaudeRun): Promise<WrittenEnd | undefined> {
    const { transcript } = run.identity;
    if (transcript === undefined) return undefined;
    const end = await this.#read(transcript, run.turns.prompts);
    return end?.line === this.#told ? undefined : end;
  }

  async #tell(run: ClaudeRun, end: WrittenEnd): Promise<void> {
    this.#told = end.line;
    this.#isOn = true;
    run.log.warn('a turn ended of which no hook told', { end: end.is });
    switch (end.is) {
      case 'completed':
        return run.stopped(end.last);
      case 'interrupted':
        return run.turnIdle(true);
      case 'failed':
        return run.emit([{ type: 'turn.failed', code: 'provider_error', detail: end.detail }]);
      case 'refused': {
        const { id } = run.turns.running ?? {};
        // The next one would be typed behind it.
        if (run.view.box !== '') await emptyBox(run);
        if (run.turns.running?.id === id)
          run.emit([{ type: 'turn.failed', code: 'prompt_blocked', detail: end.reason }]);
        return;
      }
      default:
        return end satisfies never;
    }
  }
}

/** A turn of which Claude Code has told runs, and asks nobody. */
const isOpen = ({ turns, desk }: ClaudeRun): boolean =>
  turns.busy && turns.proven && !turns.resting && desk.open === 0;

/** Claude Code has drawn that it does nothing. While agents work the title says nothing of that. */
function seemsOver({ turns, terminal, view, worked }: ClaudeRun): boolean {
  const { box, interrupted } = view;
  if (turns.agents > 0 || titleState(terminal.title) !== 'idle' || interrupted) return false;
  return box !== undefined && (box !== '' || worked);
}
