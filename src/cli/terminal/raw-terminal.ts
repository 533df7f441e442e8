// This terminal, taken over and given back. Given back on every way out of the process but SIGKILL.
import { writeSync } from 'node:fs';
import type { ReadStream, WriteStream } from 'node:tty';

/** Own screen, no wrapping at the edge: rows are drawn one by one. */
const enter = '\u001b[?1049h\u001b[?7l\u001b[2J\u001b[H';
/** Also undoes what a program before us may have left on: mouse, focus and paste reports. */
const leave =
  '\u001b[?2026l\u001b[0m\u001b[?7h\u001b[?25h\u001b[?1l\u001b[?2004l\u001b[?1000l\u001b[?1002l\u001b[?1003l\u001b[?1004l\u001b[?1006l\u001b[?1049l';

export interface RawTerminalEvents {
  typed(keys: string): void;
  resized(): void;
}

export class RawTerminal {
  readonly #input: ReadStream;
  readonly #output: WriteStream;
  readonly #undo: (() => void)[] = [];
  #given = false;

  constructor(
    events: RawTerminalEvents,
    input: ReadStream = process.stdin,
    output: WriteStream = process.stdout,
  ) {
    this.#input = input;
    this.#output = output;
    const typed = (text: string) => events.typed(text);
    const giveBack = () => this.giveBack();
    input.setRawMode(true);
    input.setEncoding('utf8');
    input.on('data', typed);
    output.on('resize', events.resized);
    process.on('exit', giveBack);
    process.on('uncaughtExceptionMonitor', giveBack);
    this.#undo.push(
      () => input.off('data', typed),
      () => output.off('resize', events.resized),
      () => process.off('exit', giveBack),
      () => process.off('uncaughtExceptionMonitor', giveBack),
    );
    input.resume();
    output.write(enter);
  }

  get size(): { cols: number; rows: number } {
    return { cols: this.#output.columns || 80, rows: this.#output.rows || 24 };
  }

  write(text: string): void {
    if (!this.#given) this.#output.write(text);
  }

  /** Restores the terminal at once, also from an exit handler. Idempotent. */
  giveBack(): void {
    if (this.#given) return;
    this.#given = true;
    for (const undo of this.#undo) undo();
    try {
      this.#input.setRawMode(false);
      this.#input.pause();
      writeSync(1, leave);
    } catch {
      // The terminal itself is gone.
    }
  }
}
