// A program in tmux, with a server of its own: driven by send-keys, read by capture-pane.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PtyOptions } from './pty.ts';
import { Seat } from './seat.ts';

/** What is typed, as tmux names it; everything else is sent as text. */
const names: Record<string, string> = {
  '\r': 'Enter',
  '\x1b': 'Escape',
  '\x1b[A': 'Up',
  '\x1b[B': 'Down',
  '\x1b[C': 'Right',
  '\x1b[D': 'Left',
  '\x0c': 'C-l',
};

/** Runs a program, notes its exit code, and leaves the terminal as the program did. */
const kept = ['/bin/sh', '-c', '"$@"; tmux set-option -p @exit $?; exec cat', 'sh'];

export class Tmux extends Seat {
  readonly #folder = mkdtempSync(join(tmpdir(), 'synthesis-tmux-'));
  readonly #env: Record<string, string>;

  /** @throws when tmux is not installed, or does not start */
  constructor(argv: readonly string[], { cwd, env, cols, rows }: PtyOptions) {
    super();
    this.#env = env;
    const settings = [
      ['status', 'off'],
      // The Esc key is not taken for the begin of an Alt key.
      ['escape-time', '0'],
      ['default-terminal', 'tmux-256color'],
    ].flatMap(([name = '', value = '']) => ['set-option', '-g', name, value, ';']);
    const size = ['-x', String(cols), '-y', String(rows)];
    this.#tmux(
      'start-server',
      ';',
      ...settings,
      'new-session',
      '-d',
      ...size,
      '-c',
      cwd,
      '--',
      ...kept,
      ...argv,
    );
  }

  get rows(): string[] {
    const shown = this.#tmux('capture-pane', '-p').replace(/\n$/, '').split('\n');
    const missing = Number(this.#ask('pane_height')) - shown.length;
    return [...shown.map((row) => row.trimEnd()), ...Array<string>(Math.max(0, missing)).fill('')];
  }

  get buffer(): 'normal' | 'alternate' {
    return this.#ask('alternate_on') === '1' ? 'alternate' : 'normal';
  }

  get cursor(): { x: number; y: number; shown: boolean } {
    const [x, y, shown] = this.#ask('cursor_x} #{cursor_y} #{cursor_flag').split(' ').map(Number);
    return { x: x ?? -1, y: y ?? -1, shown: shown === 1 };
  }

  get exitCode(): number | undefined {
    const code = this.#ask('@exit');
    return code === '' ? undefined : Number(code);
  }

  type(keys: string): void {
    for (const part of keys.split(/(\x1b\[[A-D]|\x1b|\r|\x0c)/).filter(Boolean)) {
      const name = names[part];
      this.#tmux('send-keys', ...(name === undefined ? ['-l', '--', part] : [name]));
    }
  }

  resize(cols: number, rows: number): void {
    this.#tmux('resize-window', '-x', String(cols), '-y', String(rows));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#tmux('kill-server');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #ask(format: string): string {
    return this.#tmux('display-message', '-p', `#{${format}}`).trimEnd();
  }

  #tmux(...args: string[]): string {
    const ours = ['-S', join(this.#folder, 'socket'), '-f', '/dev/null'];
    const { error, status, stdout, stderr } = spawnSync('tmux', [...ours, ...args], {
      env: this.#env,
      encoding: 'utf8',
    });
    if (error) throw new Error(`tmux does not run (on Debian: apt-get install tmux): ${error.message}`);
    if (status !== 0) throw new Error(`tmux ${args[0]}: ${stderr}`);
    return stdout;
  }
}
