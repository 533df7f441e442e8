// A real program in a real terminal, read through a headless one.
import nodePty from '@lydell/node-pty';
import xterm from '@xterm/headless';

export interface PtyExit {
  code: number;
  signal: number | undefined;
}

export class Pty implements AsyncDisposable {
  readonly #process: nodePty.IPty;
  readonly #screen = new xterm.Terminal({ cols: 120, rows: 40, allowProposedApi: true, scrollback: 1000 });
  /** Settles when the program has ended, whatever ended it. */
  readonly exited: Promise<PtyExit>;

  /** Starts `command` with exactly `env`, 120 columns by 40 rows. */
  constructor(command: string, args: string[], options: { cwd: string; env: Record<string, string> }) {
    this.#process = nodePty.spawn(command, args, { ...options, name: 'xterm-256color', cols: 120, rows: 40 });
    this.#process.onData((data) => this.#screen.write(data));
    // Answers the program's queries about the terminal.
    this.#screen.onData((data) => this.#process.write(data));
    this.exited = new Promise((resolve) => {
      this.#process.onExit(({ exitCode, signal }) => resolve({ code: exitCode, signal }));
    });
  }

  get pid(): number {
    return this.#process.pid;
  }

  /** What a person would see now, trailing blanks and blank lines removed. */
  get screen(): string {
    const buffer = this.#screen.buffer.active;
    return Array.from(
      { length: buffer.length },
      (_, row) => buffer.getLine(row)?.translateToString(true) ?? '',
    )
      .join('\n')
      .trim();
  }

  write(keys: string): void {
    this.#process.write(keys);
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
