// The operator's screen as an operator has it: the built program in a real terminal, read cell by cell.
import { resolve } from 'node:path';
import { type IPty, spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { until } from '../../support/until.ts';

const program = resolve(import.meta.dirname, '../../../bin/synthesis.js');

export const keys = {
  up: '\x1b[A',
  down: '\x1b[B',
  right: '\x1b[C',
  left: '\x1b[D',
  pageDown: '\x1b[6~',
  pageUp: '\x1b[5~',
  home: '\x1b[H',
  end: '\x1b[F',
  esc: '\x1b',
  enter: '\r',
  tab: '\t',
  shiftTab: '\x1b[Z',
  newLine: '\n',
} as const;

export class Tui implements AsyncDisposable {
  /** Everything that was written to the terminal. */
  raw = '';
  exit: { exitCode: number; signal?: number | undefined } | undefined;
  readonly terminal: InstanceType<typeof xterm.Terminal>;
  readonly #pty: IPty;

  constructor(args: string[], env: Record<string, string>, columns: number, rows: number) {
    this.terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 200 });
    const options = { cols: columns, rows, name: 'xterm-256color', env: { ...env, TERM: 'xterm-256color' } };
    this.#pty = spawn(process.execPath, [program, ...args], options);
    this.#pty.onData((data) => {
      this.raw += data;
      this.terminal.write(data);
    });
    this.terminal.onData((data) => this.#pty.write(data));
    this.#pty.onExit((exit) => {
      this.exit = exit;
    });
  }

  get pid(): number {
    return this.#pty.pid;
  }

  /** The screen, one string per row, right-trimmed. */
  get rows(): string[] {
    const { active } = this.terminal.buffer;
    return Array.from(
      { length: this.terminal.rows },
      (_, at) => active.getLine(active.viewportY + at)?.translateToString(true) ?? '',
    );
  }

  get screen(): string {
    return this.rows.join('\n');
  }

  /** The row that has this text in it. */
  row(text: string): string {
    return this.rows.find((row) => row.includes(text)) ?? '';
  }

  type(text: string): void {
    this.#pty.write(text);
  }

  paste(text: string): void {
    this.type(`\x1b[200~${text}\x1b[201~`);
  }

  resize(columns: number, rows: number): void {
    this.terminal.resize(columns, rows);
    this.#pty.resize(columns, rows);
  }

  async shows(text: string | RegExp, ms = 15_000): Promise<void> {
    await this.#until(`the screen to show ${text}`, (screen) => found(screen, text), ms);
  }

  async hides(text: string | RegExp, ms = 15_000): Promise<void> {
    await this.#until(`the screen not to show ${text}`, (screen) => !found(screen, text), ms);
  }

  async exited(): Promise<number> {
    const { exitCode } = await until(`exit; the screen shows:\n${this.screen}`, () => this.exit);
    return exitCode;
  }

  signal(name: 'SIGTERM' | 'SIGHUP' | 'SIGINT' | 'SIGKILL'): void {
    process.kill(this.pid, name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.exit) this.signal('SIGKILL');
    await this.exited();
    this.terminal.dispose();
  }

  async #until(what: string, holds: (screen: string) => boolean, ms: number): Promise<void> {
    try {
      await until(what, () => holds(this.screen), ms);
    } catch (cause) {
      throw new Error(`waited ${ms} ms for ${what}; it shows:\n${this.screen}`, { cause });
    }
  }
}

const found = (screen: string, text: string | RegExp): boolean =>
  typeof text === 'string' ? screen.includes(text) : text.test(screen);
