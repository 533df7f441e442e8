import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { until } from '../../test/support/until.ts';

export type Line = Record<string, unknown>;

/** A program that says on its first line of stdout, in JSON, where it is; further lines are JSON, too. */
export class Program implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly lines: Line[] = [];
  /** The first line. */
  ready: Line = {};
  /** Milliseconds from the start of the process to its first line. */
  readyMs = 0;

  private constructor(args: readonly string[], env: Record<string, string>, cwd: string) {
    const from = performance.now();
    this.#child = spawn(process.execPath, args, { env, cwd, stdio: ['pipe', 'pipe', 'inherit'] });
    const { stdout } = this.#child;
    if (!stdout) throw new Error('no stdout');
    createInterface({ input: stdout }).on('line', (line) => {
      this.readyMs ||= performance.now() - from;
      this.lines.push(JSON.parse(line) as Line);
    });
  }

  /** Starts `node …args` and waits for its first line. @throws when it ends before, or takes longer than 20 s */
  static async start(
    args: readonly string[],
    env: Record<string, string>,
    cwd = process.cwd(),
  ): Promise<Program> {
    const program = new Program(args, env, cwd);
    await until(`${args[0]} to be ready`, () => program.lines[0] ?? program.#over(), 20_000);
    const [ready] = program.lines;
    if (!ready) throw new Error(`${args[0]} ended before it was ready`);
    program.ready = ready;
    return program;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Ends it without a word to it. */
  async kill(): Promise<void> {
    if (this.#over()) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }

  /** A field of the ready line that has to be text. */
  text(field: string): string {
    const value = this.ready[field];
    if (typeof value !== 'string') throw new Error(`no ${field} in ${JSON.stringify(this.ready)}`);
    return value;
  }

  /**
   * Writes a line of JSON to it, and waits for the next line that it says.
   * @param isLast nothing else is said to it @throws when it ends before
   */
  async ask(message: object, ms: number, isLast = false): Promise<Line> {
    const next = this.lines.length;
    this.#child.stdin?.[isLast ? 'end' : 'write'](`${JSON.stringify(message)}\n`);
    await until('an answer', () => this.lines[next] ?? this.#over(), ms);
    const line = this.lines[next];
    if (!line) throw new Error('it ended before it answered');
    return line;
  }

  /** Asks it to end, and makes it end after 10 s. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#over()) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 10_000);
    await exited;
    clearTimeout(timer);
  }

  #over(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }
}
