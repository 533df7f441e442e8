// How far work is, in a row on standard error that is gone when it has ended.
import { progressLine } from './progress-line.ts';
import { StatusRow } from './status-row.ts';

/** Until then nobody can tell how long the rest takes, milliseconds. */
const leastMs = 1_000;

export class ProgressBar extends StatusRow {
  #first: { done: number; at: number } | undefined;

  /** @param of what is counted */
  progress(done: number, total: number, of: string): void {
    if (!this.isShown || total === 0) return;
    const now = performance.now();
    // Another round of the same work begins anew.
    if (!this.#first || done < this.#first.done) this.#first = { done, at: now };
    this.show(
      progressLine({ done, total, of, leftMs: this.#left(done, total, now) }, process.stderr.columns || 80),
    );
  }

  #left(done: number, total: number, now: number): number | null {
    const { done: begun, at } = this.#first ?? { done, at: now };
    if (done === begun || now - at < leastMs) return null;
    // Whole seconds: a figure that never stands still cannot be read.
    return Math.ceil((((now - at) / (done - begun)) * (total - done)) / 1_000) * 1_000;
  }
}
