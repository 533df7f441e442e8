// What the program drew, kept in a headless terminal. Only start-up dialogs, liveness and attach read it: the text of
// answers comes from hooks.
import serializePackage from '@xterm/addon-serialize';
import xterm from '@xterm/headless';

export interface ScreenEvents {
  /** Answers to the program's queries about the terminal: they belong into its input. */
  reply(bytes: string): void;
  /** The picture or the title changed; called after the bytes were drawn. */
  changed(): void;
}

/** A screen as escape sequences that draw it on an empty terminal of the same size. */
export interface Snapshot {
  cols: number;
  rows: number;
  data: string;
}

/** Rows of scrollback kept for an attach in normal-buffer mode. */
const scrollback = 1000;

export class Screen {
  readonly #terminal: xterm.Terminal;
  readonly #serialize = new serializePackage.SerializeAddon();
  readonly #events: ScreenEvents;
  #title = '';

  constructor(cols: number, rows: number, events: ScreenEvents) {
    this.#events = events;
    this.#terminal = new xterm.Terminal({ cols, rows, scrollback, allowProposedApi: true });
    this.#terminal.loadAddon(this.#serialize);
    this.#terminal.onData((bytes) => events.reply(bytes));
    this.#terminal.onBinary((bytes) => events.reply(bytes));
    this.#terminal.onTitleChange((title) => {
      this.#title = title;
    });
  }

  /** The window title that the program set last (OSC 0 or 2). */
  get title(): string {
    return this.#title;
  }

  get size(): { cols: number; rows: number } {
    return { cols: this.#terminal.cols, rows: this.#terminal.rows };
  }

  write(data: Uint8Array | string): void {
    this.#terminal.write(data, () => this.#events.changed());
  }

  /** Resolves when everything written so far is drawn. */
  drawn(): Promise<void> {
    return new Promise((resolve) => this.#terminal.write('', resolve));
  }

  /**
   * The visible rows from the top, right-trimmed.
   *
   * @param options.bright leaves dim and inverse cells blank: placeholders and hints are drawn dim with the cursor on
   * their first letter, typed text is neither
   */
  rows(options: { bright?: boolean } = {}): string[] {
    const buffer = this.#terminal.buffer.active;
    return Array.from({ length: this.#terminal.rows }, (_, row) => {
      const line = buffer.getLine(buffer.viewportY + row);
      if (!line) return '';
      return options.bright ? brightText(line) : line.translateToString(true);
    });
  }

  /** The picture after everything written so far, and nothing written later. */
  snapshot(): Promise<Snapshot> {
    return new Promise((resolve) => this.#terminal.write('', () => resolve(this.#picture())));
  }

  /** Taken inside the terminal's own callback: a turn of the event loop later more may have been drawn. */
  #picture(): Snapshot {
    // A title may hold no control characters: the terminal has taken it apart by them.
    const title = this.#title === '' ? '' : `\x1b]2;${this.#title}\x07`;
    return { ...this.size, data: this.#serialize.serialize({ scrollback: 0 }) + title };
  }

  /** After what was written so far was drawn at the old size. */
  resize(cols: number, rows: number): void {
    this.#terminal.write('', () => {
      this.#terminal.resize(cols, rows);
      this.#events.changed();
    });
  }

  dispose(): void {
    this.#terminal.dispose();
  }
}

type Line = NonNullable<ReturnType<xterm.Terminal['buffer']['active']['getLine']>>;

function brightText(line: Line): string {
  let text = '';
  for (let column = 0; column < line.length; column += 1) {
    const cell = line.getCell(column);
    if (!cell || cell.getWidth() === 0) continue;
    text += cell.isDim() || cell.isInverse() ? ' '.repeat(cell.getWidth()) : cell.getChars() || ' ';
  }
  return text.trimEnd();
}
