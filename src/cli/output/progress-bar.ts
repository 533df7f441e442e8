// A row on standard error that is drawn again as work goes on, and is gone when it has ended. Nothing where no terminal is.
import { redraw } from './out.ts';
import { progressLine } from './progress-line.ts';

/** Until then nobody can tell how long the rest takes, milliseconds. */
const leastMs = 1_000;

export class ProgressBar implements Disposable {
  readonly #isShown: boolean;
  #first: { done: number; at: number } | undefined;
  #drawn = '';

  /** @param quiet nothing is drawn */
  constructor(quiet: boolean) {
    this.#isShown = !quiet && process.stderr.isTTY === true && process.env.TERM !== 'dumb';
  }

  get isShown(): boolean {
    return this.#isShown;
  }

  /** @param of what is counted */
  show(done: number, total: number, of: string): void {
    if (!this.#isShown || total === 0) return;
    const now = performance.now();
    // Another round of the same work begins anew.
    if (!this.#first || done < this.#first.done) this.#first = { done, at: now };
    const line = progressLine(
      { done, total, of, leftMs: this.#left(done, total, now) },
      process.stderr.columns || 80,
    );
    if (line === this.#drawn) return;
    this.#drawn = line;
    redraw(line);
  }

  /** Words of somebody else can be written then. */
  clear(): void {
    if (this.#drawn !== '') redraw('');
    this.#drawn = '';
  }

  [Symbol.dispose](): void {
    this.clear();
  }

  #left(done: number, total: number, now: number): number | null {
    const { done: begun, at } = this.#first ?? { done, at: now };
    if (done === begun || now - at < leastMs) return null;
    // Whole seconds: a figure that never stands still cannot be read.
    return Math.ceil((((now - at) / (done - begun)) * (total - done)) / 1_000) * 1_000;
  }
}
