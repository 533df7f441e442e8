// A program in a real pseudoterminal, as the person at it sees it: read through a headless one.
import nodePty from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { PtyWriter } from '../../src/bridge/terminal/pty-writer.ts';
import { until } from './until.ts';

export interface PtyOptions {
  cwd: string;
  env: Record<string, string>;
  cols: number;
  rows: number;
}

export class Pty implements AsyncDisposable {
  readonly terminal: InstanceType<typeof xterm.Terminal>;
  /** Everything it wrote. */
  raw = '';
  /** Set when it has ended and all of its output is on the screen. */
  exit: { exitCode: number; signal?: number | undefined } | undefined;
  readonly #process: nodePty.IPty;
  /** A program that is busy writing reads nothing: only so can its output be taken while keys wait for it. */
  readonly #keys: PtyWriter;

  constructor([file, ...args]: readonly [string, ...string[]], options: PtyOptions) {
    const { cols, rows } = options;
    this.terminal = new xterm.Terminal({ cols, rows, allowProposedApi: true, scrollback: 1000 });
    this.#process = nodePty.spawn(file, args, { ...options, name: 'xterm-256color' });
    this.#keys = new PtyWriter(this.#process);
    this.#process.onData((data) => {
      this.raw += data;
      this.terminal.write(data);
    });
    this.terminal.onData((data) => this.type(data));
    this.#process.onExit((exit) => {
      this.#keys.close();
      this.terminal.write('', () => {
        this.exit = exit;
      });
    });
  }

  get pid(): number {
    return this.#process.pid;
  }

  /** The visible rows, right-trimmed. */
  get rows(): string[] {
    const { buffer, rows } = this.terminal;
    return Array.from(
      { length: rows },
      (_, row) => buffer.active.getLine(buffer.active.viewportY + row)?.translateToString(true) ?? '',
    );
  }

  get screen(): string {
    return this.rows.join('\n');
  }

  /** `alternate` while a program has a screen of its own. */
  get buffer(): 'normal' | 'alternate' {
    return this.terminal.buffer.active.type;
  }

  /** Every cell of the first `count` rows: character, width, colours and attributes. */
  cells(count: number): string[][] {
    return cellsOf(this.terminal, count);
  }

  type(keys: string): void {
    try {
      this.#keys.write(keys);
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

  async shows(text: string | RegExp, ms = 15_000): Promise<void> {
    await this.#until(`the screen to show ${text}`, () => found(this.screen, text), ms);
  }

  async hides(text: string | RegExp, ms = 15_000): Promise<void> {
    await this.#until(`the screen not to show ${text}`, () => !found(this.screen, text), ms);
  }

  /** Resolves with the exit code. */
  async exited(ms = 15_000): Promise<number> {
    await this.#until('its exit', () => this.exit, ms);
    return this.exit?.exitCode ?? Number.NaN;
  }

  signal(name: 'SIGTERM' | 'SIGHUP' | 'SIGINT' | 'SIGKILL'): void {
    process.kill(this.pid, name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.exit) this.signal('SIGKILL');
    await this.exited();
    this.terminal.dispose();
  }

  async #until(what: string, holds: () => unknown, ms: number): Promise<void> {
    try {
      await until(what, holds, ms);
    } catch (cause) {
      throw new Error(`waited ${ms} ms for ${what}; it shows:\n${this.screen}`, { cause });
    }
  }
}

const found = (screen: string, text: string | RegExp): boolean =>
  typeof text === 'string' ? screen.includes(text) : text.test(screen);

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
