// A program in a real pseudoterminal, as the person at it sees it: read through a headless one.
import nodePty from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { PtyWriter } from '../../src/base/process/pty-writer.ts';
import { Seat } from './seat.ts';

export interface PtyOptions {
  cwd: string;
  env: Record<string, string>;
  cols: number;
  rows: number;
  /** What the program is told about it: `TERM`. */
  term?: string | undefined;
}

export class Pty extends Seat {
  readonly terminal: InstanceType<typeof xterm.Terminal>;
  /** Everything it wrote. */
  raw = '';
  exitCode: number | undefined;
  readonly #process: nodePty.IPty;
  /** A program that is busy writing reads nothing: only so can its output be taken while keys wait for it. */
  readonly #keys: PtyWriter;

  constructor([file, ...args]: readonly [string, ...string[]], options: PtyOptions) {
    super();
    const { cols, rows, term = 'xterm-256color' } = options;
    this.terminal = new xterm.Terminal({ cols, rows, allowProposedApi: true, scrollback: 1000 });
    this.#process = nodePty.spawn(file, args, { ...options, name: term });
    this.#keys = new PtyWriter(this.#process);
    this.#process.onData((data) => {
      this.raw += data;
      this.terminal.write(data);
    });
    this.terminal.onData((data) => this.type(data));
    this.#process.onExit(({ exitCode }) => {
      this.#keys.close();
      this.terminal.write('', () => {
        this.exitCode = exitCode;
      });
    });
  }

  get pid(): number {
    return this.#process.pid;
  }

  get rows(): string[] {
    const { buffer, rows } = this.terminal;
    return Array.from(
      { length: rows },
      (_, row) => buffer.active.getLine(buffer.active.viewportY + row)?.translateToString(true) ?? '',
    );
  }

  get buffer(): 'normal' | 'alternate' {
    return this.terminal.buffer.active.type;
  }

  get cursor(): { x: number; y: number; shown: boolean } {
    const { cursorX: x, cursorY: y } = this.terminal.buffer.active;
    return { x, y, shown: this.raw.lastIndexOf('\x1b[?25h') >= this.raw.lastIndexOf('\x1b[?25l') };
  }

  /** Every cell of the first `count` rows: character, width, colours and attributes. */
  cells(count: number): string[][] {
    return cellsOf(this.terminal, count);
  }

  /** Resolves when everything that it wrote so far is on the screen. */
  drawn(): Promise<void> {
    return new Promise((resolve) => this.terminal.write('', resolve));
  }

  type(keys: string): void {
    try {
      this.#keys.write(Buffer.from(keys));
    } catch {
      // It has ended.
    }
  }

  paste(text: string): void {
    this.type(`\x1b[200~${text}\x1b[201~`);
  }

  resize(cols: number, rows: number): void {
    this.terminal.resize(cols, rows);
    this.#process.resize(cols, rows);
  }

  signal(name: 'SIGTERM' | 'SIGHUP' | 'SIGINT' | 'SIGKILL'): void {
    process.kill(this.pid, name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.exitCode === undefined) this.signal('SIGKILL');
    await this.exited();
    this.terminal.dispose();
  }
}

/** Draws escape sequences on an empty screen and returns its cells. */
export async function drawnCells(size: { cols: number; rows: number }, data: string): Promise<string[][]> {
  const screen = new xterm.Terminal({ ...size, allowProposedApi: true });
  await new Promise<void>((resolve) => screen.write(data, resolve));
  const cells = cellsOf(screen, size.rows);
  screen.dispose();
  return cells;
}

export function cellsOf(screen: xterm.Terminal, count: number): string[][] {
  const { active } = screen.buffer;
  return Array.from({ length: count }, (_, row) => {
    const line = active.getLine(active.viewportY + row);
    return Array.from({ length: line?.length ?? 0 }, (_, column) => {
      const cell = line?.getCell(column);
      if (!cell) return '';
      const marks = [
        cell.isBold(),
        cell.isDim(),
        cell.isItalic(),
        cell.isUnderline(),
        cell.isInverse(),
        cell.isStrikethrough(),
      ].map((mark) => (mark ? 1 : 0));
      const colours = [cell.getFgColorMode(), cell.getFgColor(), cell.getBgColorMode(), cell.getBgColor()];
      return `${cell.getChars() || ' '} ${cell.getWidth()} ${marks.join('')} ${colours.join(',')}`;
    });
  });
}
