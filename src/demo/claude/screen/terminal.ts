import type { ReadStream, WriteStream } from 'node:tty';
import type { DrawingName } from '../settings/knobs.ts';
import { type Drawing, drawings } from './drawings.ts';
import { type Key, KeyReader } from './keys.ts';
import { layOutBottom, layOutLog, type View } from './view.ts';

/** Modes switched on at start, as measured on Claude Code 2.1.329; mouse only on the alternate screen. */
const common = ['2004', '1004', '2031'];
const fullscreen = ['1000', '1002', '1003', '1006'];
/** What it asks the terminal for; the answers come back as input and are ignored. */
const queries = '\x1b[>0q\x1b[?u\x1b[c';
/** Milliseconds after which a lone ESC is the Escape key, and not the first byte of a sequence that a read has cut. */
const escapeMs = 50;

/** The screen and the keyboard. Owns raw mode, terminal modes, repainting and the window title. */
export class Terminal {
  readonly #input: ReadStream;
  readonly #output: WriteStream;
  readonly #alternate: boolean;
  #drawing: Drawing;
  readonly #reader = new KeyReader();
  #onKey: ((key: Key) => void) | undefined;
  #escape: NodeJS.Timeout | undefined;
  #painting = false;
  #view: View | undefined;
  #rows: string[] = [];
  /** Without the alternate screen: lines of the log already printed for good, rows of the bottom now shown. */
  #printed = 0;
  #bottom = 0;
  #title = '';
  #opened = false;
  #closed = false;

  constructor(
    input: ReadStream,
    output: WriteStream,
    options: { alternateScreen: boolean; drawing: DrawingName },
  ) {
    this.#input = input;
    this.#output = output;
    this.#alternate = options.alternateScreen;
    this.#drawing = drawings[options.drawing];
  }

  /** Takes the keyboard. What is typed before {@link listen} is lost, as with the real program. */
  grab(): void {
    this.#input.setRawMode(true);
    this.#input.setEncoding('utf8');
    this.#input.on('data', (chunk: string) => this.#receive(chunk));
  }

  /** Takes the screen. Idempotent: a dialog may have needed it already. */
  open(): void {
    if (this.#opened) return;
    this.#opened = true;
    this.#output.on('resize', () => this.#repaintAll());
    const modes = this.#alternate ? [...common, ...fullscreen] : common;
    const start = this.#alternate ? '\x1b[?1049h\x1b[2J\x1b[H' : '';
    this.#output.write(start + modes.map((mode) => `\x1b[?${mode}h`).join('') + queries);
  }

  listen(onKey: (key: Key) => void): void {
    this.#onKey = onKey;
  }

  /** The prompt is drawn in another way from now on. */
  redraw(drawing: DrawingName): void {
    this.#drawing = drawings[drawing];
    this.#repaintAll();
  }

  /** OSC 0, written only when it changed. */
  title(text: string): void {
    if (text === this.#title || this.#closed) return;
    this.#title = text;
    this.#output.write(`\x1b]0;${text}\x07`);
  }

  /** Shows a view; several in one tick are painted once. */
  paint(view: View): void {
    this.#view = view;
    if (this.#painting || this.#closed || !this.#opened) return;
    this.#painting = true;
    setImmediate(() => {
      this.#painting = false;
      if (!this.#closed) this.#draw();
    });
  }

  /** Gives the terminal back and leaves `lastLines` on it. Idempotent. */
  close(lastLines: string[]): void {
    if (this.#closed) return;
    if (this.#opened) this.#draw();
    this.#closed = true;
    clearTimeout(this.#escape);
    const modes = [...common, ...fullscreen].map((mode) => `\x1b[?${mode}l`).join('');
    const end = this.#alternate ? '\x1b[?1049l' : '\r\n';
    this.#output.write(`${modes}\x1b[?25h${end}${lastLines.map((line) => `${line}\r\n`).join('')}`);
    this.#input.setRawMode(false);
    this.#input.pause();
  }

  #receive(chunk: string): void {
    clearTimeout(this.#escape);
    this.#escape = undefined;
    for (const key of this.#reader.push(chunk)) this.#onKey?.(key);
    if (!this.#reader.unfinished) return;
    // A busy process finds its timer due before it has read what came in time: read first, then decide.
    const waiting = setTimeout(() => setImmediate(() => this.#flush(waiting)), escapeMs);
    this.#escape = waiting;
  }

  #flush(waiting: NodeJS.Timeout): void {
    if (this.#escape !== waiting) return;
    this.#escape = undefined;
    for (const key of this.#reader.flush()) this.#onKey?.(key);
  }

  #repaintAll(): void {
    this.#rows = [];
    if (this.#alternate) this.#output.write('\x1b[2J');
    if (this.#view) this.paint(this.#view);
  }

  #draw(): void {
    if (!this.#view) return;
    if (this.#alternate) this.#drawFullscreen(this.#view);
    else this.#drawInline(this.#view);
  }

  /** Log from the top, bottom part at the bottom; only rows that changed are written. */
  #drawFullscreen(view: View): void {
    const { columns = 80, rows: height = 24 } = this.#output;
    const bottom = layOutBottom(view, columns, this.#drawing);
    const shown = bottom.rows.slice(-height);
    const space = height - shown.length;
    const log = space > 0 ? layOutLog(view.log.slice(-space), columns, this.#drawing).slice(-space) : [];
    const blank = Array.from({ length: space - log.length }, () => '');
    const { atTop } = this.#drawing;
    const rows = atTop ? [...shown, ...log, ...blank] : [...log, ...blank, ...shown];
    let out = '\x1b[?25l';
    for (const [at, row] of rows.entries()) {
      if (row !== this.#rows[at]) out += `\x1b[${at + 1};1H\x1b[2K${row}`;
    }
    this.#rows = rows;
    if (bottom.cursor) {
      const row = atTop
        ? bottom.cursor.row + 1
        : Math.max(1, height - bottom.rows.length + bottom.cursor.row + 1);
      out += `\x1b[${row};${bottom.cursor.column + 1}H\x1b[?25h`;
    }
    this.#output.write(out);
  }

  /** Real scrollback: new log lines are printed for good, the bottom part is drawn anew below them. */
  #drawInline(view: View): void {
    const { columns = 80, rows: height = 24 } = this.#output;
    const shown = layOutBottom(view, columns, this.#drawing).rows.slice(-(height - 1));
    const up = this.#bottom > 1 ? `\x1b[${this.#bottom - 1}A` : '';
    const fresh = layOutLog(view.log.slice(this.#printed), columns, this.#drawing).map((row) => `${row}\r\n`);
    this.#output.write(`${up}\r\x1b[J${fresh.join('')}${shown.join('\r\n')}`);
    this.#printed = view.log.length;
    this.#bottom = shown.length;
  }
}
