import { elapse } from './elapse.ts';
import { HookedRun } from './hooked-run.ts';

/** A Claude Code that something watches: what that tells of it, and how its turns end. */
export class WatchedRun extends HookedRun {
  /** What is wrong with it, in the words that were told last, by code. */
  readonly health = new Map<string, string>();
  readonly tell = (code: string, words: string | undefined): void => {
    if (words === undefined) this.health.delete(code);
    else this.health.set(code, words);
  };

  pass(ms: number): Promise<void> {
    return elapse(this.clock, ms);
  }

  ending(turn = 't'): unknown {
    const { phase } = this.turn(turn);
    return phase.name === 'settled' ? (phase.code ?? phase.outcome) : phase.name;
  }
}
