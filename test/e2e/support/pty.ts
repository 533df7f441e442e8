// A program in a real pseudoterminal, read through a headless one.
import nodePty from '@lydell/node-pty';
import xterm from '@xterm/headless';

export interface PtyOptions {
  cwd: string;
  env: Record<string, string>;
  cols: number;
  rows: number;
}

export class Pty implements AsyncDisposable {
  readonly #process: nodePty.IPty;
  readonly #screen: xterm.Terminal;
  readonly #exited = Promise.withResolvers<number>();
  /** Every byte it wrote. */
  bytes = '';
  /** Resolves with the exit code. */
  readonly exited = this.#exited.promise;

  constructor([file, ...args]: readonly [string, ...string[]], options: PtyOptions) {
    const { cols, rows } = options;
    this.#screen = new xterm.Terminal({ cols, rows, allowProposedApi: true, scrollback: 1000 });
    this.#process = nodePty.spawn(file, args, { ...options, name: 'xterm-256color' });
    this.#process.onData((data) => {
      this.bytes += data;
      this.#screen.write(data);
    });
    this.#screen.onData((data) => this.write(data));
    this.#process.onExit(({ exitCode }) => this.#screen.write('', () => this.#exited.resolve(exitCode)));
  }

  get pid(): number {
    return this.#process.pid;
  }

  /** The visible rows, right-trimmed. */
  get rows(): string[] {
    const { buffer, rows } = this.#screen;
    return Array.from(
      { length: rows },
      (_, row) => buffer.active.getLine(buffer.active.viewportY + row)?.translateToString(true) ?? '',
    );
  }

  get text(): string {
    return this.rows.join('\n');
  }

  /** `alternate` while a program has a screen of its own. */
  get buffer(): 'normal' | 'alternate' {
    return this.#screen.buffer.active.type;
  }

  get modes(): xterm.IModes {
    return this.#screen.modes;
  }

  /** Every cell of the first `count` rows: character, width, colours and attributes. */
  cells(count: number): string[][] {
    return cellsOf(this.#screen, count);
  }

  write(keys: string): void {
    try {
      this.#process.write(keys);
    } catch {
      // It has ended.
    }
  }

  resize(cols: number, rows: number): void {
    this.#screen.resize(cols, rows);
    this.#process.resize(cols, rows);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      process.kill(this.pid, 'SIGKILL');
    } catch {
      // It has ended already.
    }
    await this.exited;
    this.#screen.dispose();
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
