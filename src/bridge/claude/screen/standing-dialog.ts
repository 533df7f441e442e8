import { hashId } from '../../../base/digest.ts';
import type { Cancel, Clock } from '../../../base/time/clock.ts';
import { type Dialog, dialogOn, knownDialog } from './dialogs.ts';

/** A dialog counts when its text has stood for this long, ms: it may be half drawn before, and keys are lost. */
const knownDialogMs = 700;
const unknownDialogMs = 3000;
/** What stands in the place of the prompt, and is no dialog, counts after this, ms: it may be drawn anew. */
const promptlessMs = 3000;
const restlessMs = 9000;

export interface StandingDialogOptions {
  clock: Clock;
  /** The screen as it is now. */
  rows(): readonly string[];
  /** A dialog has stood long enough: look again. */
  due(): void;
}

/** Remembers since when the dialog on the screen has stood there unchanged, and since when no prompt has. */
export class StandingDialog {
  readonly #options: StandingDialogOptions;
  #seen: { id: string; since: number } | undefined;
  #promptless: { since: number; cancels: Cancel[] } | undefined;
  #timers: Cancel[] = [];

  constructor(options: StandingDialogOptions) {
    this.#options = options;
  }

  /** A new picture: a changed one starts the time anew. @param box the prompt box is drawn, so nothing is asked */
  redrawn(box: boolean): void {
    const { clock, due } = this.#options;
    if (box) this.#prompted();
    else
      this.#promptless ??= {
        since: clock.now(),
        cancels: [promptlessMs, restlessMs].map((ms) => clock.after(ms + 20, due)),
      };
    const rows = box ? [] : this.#options.rows();
    const dialog = dialogOn(rows, knownDialog(rows));
    const id = dialog && `${dialog.id}:${hashId(rows.join('\n'))}`;
    if (id === this.#seen?.id) return;
    this.#seen = id === undefined ? undefined : { id, since: clock.now() };
    this.#stop();
    // A timer may fire a fraction of a millisecond early.
    if (id !== undefined)
      this.#timers = [knownDialogMs, unknownDialogMs].map((ms) => clock.after(ms + 20, due));
  }

  /** The dialog that has been on the screen long enough to be believed. */
  get believed(): Dialog | undefined {
    if (!this.#seen) return undefined;
    const rows = this.#options.rows();
    const known = knownDialog(rows);
    const stood = this.#options.clock.now() - this.#seen.since;
    return stood >= (known ? knownDialogMs : unknownDialogMs) ? dialogOn(rows, known) : undefined;
  }

  /** No prompt box has been on the screen for so long that none is to be waited for. */
  get isPromptless(): boolean {
    if (!this.#promptless) return false;
    // What looks like a dialog is believed soon, unless its words change all the time.
    return this.#options.clock.now() - this.#promptless.since >= (this.#seen ? restlessMs : promptlessMs);
  }

  /** Stops its timers. Idempotent. */
  close(): void {
    this.#stop();
    this.#prompted();
  }

  #stop(): void {
    for (const cancel of this.#timers.splice(0)) cancel();
  }

  #prompted(): void {
    for (const cancel of this.#promptless?.cancels ?? []) cancel();
    this.#promptless = undefined;
  }
}
