import type { Mode } from '../permission/permission-rules.ts';
import type { Status } from '../settings/live-sessions.ts';
import { type Dialog, drawDialog, pressDialog } from './dialog.ts';
import type { Box } from './input-box.ts';
import type { Key } from './keys.ts';
import type { Terminal } from './terminal.ts';
import { emptyView, type View } from './view.ts';

/** The spinner in the window title turns once a second (measured on 2.1.329). */
const spinMs = 1000;

/** What is shown, and who gets the keys: an open dialog before everybody else. */
export class Screen {
  readonly #terminal: Terminal;
  readonly #name: string;
  readonly #onStatus: (status: Status) => void;
  #view: View = { ...emptyView, log: [] };
  #keys: ((key: Key) => void) | undefined;
  #dialogKeys: ((key: Key) => void) | undefined;
  #spinner: NodeJS.Timeout | undefined;
  #spin = 0;

  constructor(terminal: Terminal, name: string, onStatus: (status: Status) => void) {
    this.#terminal = terminal;
    this.#name = name;
    this.#onStatus = onStatus;
    terminal.listen((key) => (this.#dialogKeys ?? this.#keys)?.(key));
  }

  get box(): Box {
    return this.#view.box;
  }

  log(...lines: string[]): void {
    this.#view.log.push(...lines.flatMap((line) => line.split('\n')));
    this.#change({});
  }

  setBox(box: Box): void {
    this.#change({ box });
  }

  setQueued(queued: string[]): void {
    this.#change({ queued });
  }

  setMode(mode: Mode): void {
    this.#change({ mode });
  }

  /** Draws the prompt row and gives keys that no dialog takes to `onKey`. */
  ready(onKey: (key: Key) => void): void {
    this.#keys = onKey;
    this.#change({ ready: true });
  }

  setWorking(working: boolean): void {
    clearInterval(this.#spinner);
    this.#spin = 0;
    if (working)
      this.#spinner = setInterval(() => {
        this.#spin += 1;
        this.#showTitle();
      }, spinMs);
    this.#change({ working });
  }

  /** Opens a dialog over the prompt. @returns how to close it without an answer; idempotent. */
  openDialog<E>(dialog: Dialog<E>, onChoice: (effect: E) => void): () => void {
    let current = dialog;
    const close = () => {
      if (this.#dialogKeys !== onKey) return;
      this.#dialogKeys = undefined;
      this.#change({ dialog: undefined });
    };
    const onKey = (key: Key) => {
      const step = pressDialog(current, key);
      if (step.kind === 'chosen') {
        close();
        onChoice(step.effect);
      } else {
        current = step.dialog;
        this.#change({ dialog: drawDialog(current) });
      }
    };
    this.#dialogKeys = onKey;
    this.#change({ dialog: drawDialog(current) });
    return close;
  }

  close(lastLines: string[]): void {
    clearInterval(this.#spinner);
    this.#terminal.close(lastLines);
  }

  #change(part: Partial<View>): void {
    this.#view = { ...this.#view, ...part };
    this.#terminal.paint(this.#view);
    this.#showTitle();
    this.#onStatus(this.#view.dialog ? 'waiting' : this.#view.working ? 'busy' : 'idle');
  }

  /** `✳` when idle and while a dialog waits, `◐`/`◑` while working. */
  #showTitle(): void {
    if (!this.#view.ready && !this.#view.working) return;
    const busy = this.#view.working && !this.#view.dialog;
    const glyph = !busy ? '✳' : this.#spin % 2 === 0 ? '◐' : '◑';
    this.#terminal.title(`${glyph} ${this.#name}`);
  }
}
