import type { Mode } from '../permission/permission-rules.ts';
import type { DrawingName } from '../settings/knobs.ts';
import type { Status } from '../settings/live-sessions.ts';
import { Chords } from './chords.ts';
import { type Dialog, drawDialog, pressDialog } from './dialog.ts';
import type { Box } from './input-box.ts';
import type { Key } from './keys.ts';
import type { Terminal } from './terminal.ts';
import { emptyView, type View } from './view.ts';

/** The spinner in the window title turns once a second (measured on 2.1.329). */
const spinMs = 1000;

interface OpenDialog {
  onKey(key: Key): void;
  lines(): string[];
}

/** What is shown, and who gets the keys: an open dialog before everybody else. */
export class Screen {
  readonly #terminal: Terminal;
  readonly #name: string;
  readonly #tellingTitle: boolean;
  readonly #onStatus: (status: Status) => void;
  #view: View = { ...emptyView, log: [] };
  #keys: ((key: Key) => void) | undefined;
  #beforeKey: ((key: Key) => void) | undefined;
  /** The first one is on the screen, the others wait. */
  #dialogs: OpenDialog[] = [];
  #onKill: (() => void) | undefined;
  #agents = 0;
  #spinner: NodeJS.Timeout | undefined;
  #spin = 0;

  constructor(
    terminal: Terminal,
    { name, tellingTitle }: { name: string; tellingTitle: boolean },
    onStatus: (status: Status) => void,
  ) {
    this.#terminal = terminal;
    this.#name = name;
    this.#tellingTitle = tellingTitle;
    this.#onStatus = onStatus;
    const chords = new Chords();
    terminal.listen((pressed) => {
      const key = chords.press(pressed);
      if (key === 'kill') this.#onKill?.();
      else if (key) this.#give(key);
    });
  }

  /** Gives `onKey` each key that the prompt is about to get. A dialog that it opens gets the key. */
  beforePrompt(onKey: (key: Key) => void): void {
    this.#beforeKey = onKey;
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

  /** Draws the prompt row and gives keys that no dialog takes to `onKey`. `onKill`: all agents are to stop. */
  ready(onKey: (key: Key) => void, onKill: () => void): void {
    this.#keys = onKey;
    this.#onKill = onKill;
    this.#change({ ready: true });
  }

  setWorking(working: boolean): void {
    this.#spin = 0;
    this.#spinWhile(working || this.#agents > 0);
    this.#change({ working });
  }

  /** The title turns while agents work, also when no turn runs (measured on 2.1.332). */
  setAgents(agents: number): void {
    this.#agents = agents;
    this.#spinWhile(this.#view.working || agents > 0);
    this.#change({});
  }

  #give(key: Key): void {
    if (this.#dialogs.length === 0) this.#beforeKey?.(key);
    (this.#dialogs[0]?.onKey ?? this.#keys)?.(key);
  }

  #spinWhile(busy: boolean): void {
    clearInterval(this.#spinner);
    if (!busy) return;
    this.#spinner = setInterval(() => {
      this.#spin += 1;
      this.#showTitle();
    }, spinMs);
  }

  /** Opens a dialog over the prompt, behind those that are open. @returns how to close it without an answer; idempotent. */
  openDialog<E>(dialog: Dialog<E>, onChoice: (effect: E) => void): () => void {
    let current = dialog;
    const close = () => {
      this.#dialogs = this.#dialogs.filter((other) => other !== opened);
      this.#change({ dialog: this.#dialogs[0]?.lines() });
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
    const opened: OpenDialog = { onKey, lines: () => drawDialog(current) };
    this.#dialogs.push(opened);
    this.#change({ dialog: this.#dialogs[0]?.lines() });
    return close;
  }

  redraw(drawing: DrawingName): void {
    this.#terminal.redraw(drawing);
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

  /** `✳` when idle and while a dialog waits, `◐`/`◑` while a turn runs or agents work. */
  #showTitle(): void {
    if (!this.#view.ready && !this.#view.working) return;
    const busy = (this.#view.working || this.#agents > 0) && !this.#view.dialog;
    const glyph = !busy ? '✳' : this.#spin % 2 === 0 ? '◐' : '◑';
    this.#terminal.title(this.#tellingTitle ? `${glyph} ${this.#name}` : this.#name);
  }
}
