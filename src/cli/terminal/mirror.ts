// Claude's screen on this terminal, whatever its size: bytes are drawn on an emulator of Claude's size, and only the
// cells of that reach the real terminal. No sequence of Claude's does: no query, no mode, no title, no clipboard.
import xterm from '@xterm/headless';
import { paintRow } from './paint-row.ts';

export interface Size {
  cols: number;
  rows: number;
}

export interface MirrorOptions {
  /** Draws on the real terminal. */
  write(text: string): void;
  /** Size of the real terminal; its last row is the status line. */
  size: Size;
  status: string;
}

/** Begin and end of a picture that a terminal shows in one go (synchronized output); unknown to old ones, and ignored. */
const begin = '\u001b[?2026h';
const end = '\u001b[?2026l';

/** Pictures come at most this often, ms. */
const frameMs = 16;

export class Mirror {
  readonly #options: MirrorOptions;
  #terminal = new xterm.Terminal({ cols: 80, rows: 24, scrollback: 0, allowProposedApi: true });
  #size: Size;
  #status: string;
  /** What stands on the real terminal, row by row. */
  #shown: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #paintedAt = 0;
  #driving = false;
  #modes = '';
  #closed = false;

  constructor(options: MirrorOptions) {
    this.#options = options;
    this.#size = options.size;
    this.#status = options.status;
  }

  /** Whoever drives sends keys in the form that Claude asked for: its two modes that change them are taken over. */
  set driving(driving: boolean) {
    this.#driving = driving;
    this.#soon();
  }

  /** Begins anew with this picture. */
  restart(size: Size, data: string): void {
    this.#terminal.dispose();
    this.#terminal = new xterm.Terminal({ ...size, scrollback: 0, allowProposedApi: true });
    this.write(data);
  }

  write(data: string): void {
    this.#terminal.write(data, () => this.#soon());
  }

  /** Claude's size changed. */
  resizeSource(size: Size): void {
    const terminal = this.#terminal;
    terminal.write('', () => {
      terminal.resize(size.cols, size.rows);
      this.#soon();
    });
  }

  /** The real terminal's size changed: what it shows now is unknown. */
  resize(size: Size): void {
    this.#size = size;
    this.redraw();
  }

  set status(text: string) {
    this.#status = text;
    this.#soon();
  }

  redraw(): void {
    this.#shown = [];
    this.#soon();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#terminal.dispose();
  }

  /** Many bytes, one picture. */
  #soon(): void {
    if (this.#closed) return;
    const wait = Math.max(0, this.#paintedAt + frameMs - performance.now());
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#paintedAt = performance.now();
      this.#paint();
    }, wait);
  }

  #paint(): void {
    const { cols, rows } = this.#size;
    const height = Math.max(1, rows - 1);
    const buffer = this.#terminal.buffer.active;
    const top = Math.max(0, Math.min(buffer.cursorY - height + 1, this.#terminal.rows - height));
    const picture = Array.from({ length: rows }, (_, row) => {
      if (row === rows - 1) return statusRow(this.#status, cols);
      const line = row < height ? buffer.getLine(buffer.viewportY + top + row) : undefined;
      return top + row < this.#terminal.rows && line ? paintRow(line, cols) : '';
    });
    const changed = picture.flatMap((text, row) =>
      text === this.#shown[row]
        ? []
        : // Erased first: erasing after a full row would take its last cell.
          [`\u001b[${row + 1};1H\u001b[0m\u001b[K${text}\u001b[0m`],
    );
    this.#shown = picture;
    this.#options.write(
      `${begin}\u001b[?25l${this.#modeChange()}${changed.join('')}${this.#cursor(top, height)}${end}`,
    );
  }

  #modeChange(): string {
    const { bracketedPasteMode, applicationCursorKeysMode } = this.#terminal.modes;
    const paste = this.#driving && bracketedPasteMode ? 'h' : 'l';
    const cursor = this.#driving && applicationCursorKeysMode ? 'h' : 'l';
    const modes = `\u001b[?2004${paste}\u001b[?1${cursor}`;
    if (modes === this.#modes) return '';
    this.#modes = modes;
    return modes;
  }

  #cursor(top: number, height: number): string {
    const { cursorX, cursorY } = this.#terminal.buffer.active;
    const row = cursorY - top;
    const column = Math.min(cursorX, this.#size.cols - 1);
    if (row < 0 || row >= height) return '';
    return `\u001b[${row + 1};${column + 1}H\u001b[?25h`;
  }
}

/** Inverse, so that it is nobody's text. Letters of one cell only: the row must not be wider than it is counted. */
const statusRow = (text: string, cols: number): string =>
  `\u001b[7m${text
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, cols)
    .padEnd(cols)}`;
