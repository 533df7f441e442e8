import { hashId } from '../../../base/digest.ts';
import type { Cancel } from '../../../base/time/clock.ts';
import type { ClaudeRun } from '../claude-run.ts';
import { knownDialog } from '../screen/dialogs.ts';
import { asksSomething } from '../screen/menu-signs.ts';

/** How long the screen has stood still by then, ms. A box that is known comes before the tools are asked for (measured). */
const quietMs = 700;
/** As long as that it is waited for one that does not stand still, ms: it may show that something is loaded. */
const restlessMs = 4000;

/** What is looked at. */
export type Starting = Pick<ClaudeRun, 'clock' | 'watch' | 'sessionStarted' | 'toolsListed' | 'dialog'> & {
  view: Pick<ClaudeRun['view'], 'box'>;
  terminal: { rows(): readonly string[] };
  limits: Pick<ClaudeRun['limits'], 'toolsMs'>;
};

/** Notices that a start has come as far as it can, and that no prompt box is seen. */
export class Boxless {
  readonly #run: Starting;
  #startedAt: number | undefined;
  #since: number | undefined;
  #still: { picture: string; since: number } | undefined;
  #timer: Cancel | undefined;

  constructor(run: Starting) {
    this.#run = run;
  }

  /** Looks at the screen, and has it looked at again in time. */
  look(): boolean {
    this.close();
    const { clock, limits, sessionStarted, toolsListed, terminal } = this.#run;
    if (!sessionStarted) return false;
    const now = clock.now();
    this.#startedAt ??= now;
    const toolsIn = toolsListed ? 0 : this.#startedAt + limits.toolsMs - now;
    const rows = terminal.rows();
    if (toolsIn > 0 || !this.#isOpen(rows)) {
      this.#since = undefined;
      this.#still = undefined;
      if (toolsIn > 0) this.#again(toolsIn);
      return false;
    }
    this.#since ??= now;
    const picture = hashId(rows.join('\n'));
    if (this.#still?.picture !== picture) this.#still = { picture, since: now };
    const left = Math.min(this.#still.since + quietMs, this.#since + restlessMs) - now;
    if (left > 0) this.#again(left);
    return left <= 0;
  }

  /** Something is drawn, and it is neither a box nor a question. */
  #isOpen(rows: readonly string[]): boolean {
    const { view, dialog } = this.#run;
    if (view.box !== undefined || dialog || !rows.some((row) => row.trim() !== '')) return false;
    return !knownDialog(rows) && !asksSomething(rows);
  }

  #again(ms: number): void {
    // A timer may fire a fraction of a millisecond early.
    this.#timer = this.#run.clock.after(ms + 5, () => this.#run.watch.poke());
  }

  /** Stops its timer. Idempotent. */
  close(): void {
    this.#timer?.();
    this.#timer = undefined;
  }
}
