// Looks after a message that cannot be handed over yet, and says when there is a way: what kept it is gone, or Claude Code
// ended meanwhile and some time has passed. The message itself waits in the core.
import type { Cancel, Clock } from '../../../base/time/clock.ts';
import type { ClaudeRun } from '../claude-run.ts';
import { gone } from './deliver-typed.ts';

/** How often it is looked at what nobody announces, such as a file of the user's, ms. */
const everyMs = 3000;
/** Until Claude Code is started again for a message whose process ended, ms. It doubles each time. */
const pauseMs = 30_000;
const longestPauseMs = 10 * 60_000;

/** What keeps a message from Claude Code. */
export interface Obstacle {
  /** The Claude Code that cannot take it; absent: none can be started. */
  run?: ClaudeRun;
  /** Known at once, and whoever changes it pokes the watch of the run. */
  isGone?(): boolean;
  /** It has to be looked for. */
  look?(): Promise<boolean>;
}

export class HeldMessage {
  readonly #clock: Clock;
  readonly #open: () => void;
  /** Starts for it, since the last message that Claude Code took. */
  #starts = 0;
  /** Of the newest obstacle; what looks at an older one gives up. */
  #number = 0;
  #cancel: Cancel = () => {};

  /** @param open there is a way, or it is time to try again */
  constructor(clock: Clock, open: () => void) {
    this.#clock = clock;
    this.#open = open;
  }

  /** Calls `open` once, when that is so. Never throws. */
  wait(obstacle: Obstacle): void {
    this.end();
    void this.#watch(obstacle, this.#number);
  }

  /** Nothing is held any more, or it is tried again already. Idempotent. */
  end(): void {
    this.#number += 1;
    this.#cancel();
  }

  /** Claude Code took a message: the next one that has to wait is no longer a matter of this one. */
  taken(): void {
    this.#starts = 0;
  }

  async #watch({ run, isGone, look }: Obstacle, number: number): Promise<void> {
    const isOver = () => number !== this.#number;
    const isClear = () => isGone?.() ?? false;
    while (!isOver() && !(run && gone(run))) {
      // A file that cannot be read just now is looked at again.
      const isFound = isClear() || ((await look?.().catch(() => false)) ?? false);
      if (isOver()) return;
      if (isFound) return this.#tell();
      if (run) await run.watch.until(() => gone(run) || isOver() || isClear(), everyMs);
      else await this.#pause(everyMs);
    }
    if (isOver()) return;
    const ms = Math.min(pauseMs * 2 ** this.#starts, longestPauseMs);
    this.#starts += 1;
    this.#cancel = this.#clock.after(ms, () => this.#tell());
  }

  #tell(): void {
    this.end();
    this.#open();
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#clock.after(ms, resolve);
      this.#cancel = () => {
        cancel();
        resolve();
      };
    });
  }
}
