// The row on standard error that says what goes on, in the place of the one before. Nothing where no terminal is.
import { redraw } from '../out.ts';

export class StatusRow implements Disposable {
  readonly isShown: boolean;
  #drawn = '';

  /** @param quiet nothing is drawn */
  constructor(quiet: boolean) {
    this.isShown = !quiet && process.stderr.isTTY === true && process.env.TERM !== 'dumb';
  }

  /** @param row in fewer cells than the terminal has columns */
  show(row: string): void {
    if (!this.isShown || row === this.#drawn) return;
    this.#drawn = row;
    redraw(row);
  }

  /** Words of somebody else can be written then. */
  clear(): void {
    this.show('');
  }

  [Symbol.dispose](): void {
    this.clear();
  }
}
