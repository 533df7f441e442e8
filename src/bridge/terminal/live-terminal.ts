import { PtyWriter } from '../../base/pty-writer.ts';
import { type PtySpec, spawnPty } from './node-pty.ts';
import { Screen, type Snapshot } from './screen.ts';

export interface Exit {
  /** Exit code; undefined when a signal ended it. */
  code: number | undefined;
  /** Signal number; undefined when it ended by itself. */
  signal: number | undefined;
}

type Unsubscribe = () => void;

/** A program on a pseudoterminal together with the screen it draws. */
export class LiveTerminal {
  readonly pid: number;
  readonly #pty: ReturnType<typeof spawnPty>;
  readonly #keys: PtyWriter;
  readonly #screen: Screen;
  readonly #changed = new Set<() => void>();
  readonly #data = new Set<(data: string) => void>();
  readonly #exited = new Set<(exit: Exit) => void>();
  #exit: Exit | undefined;

  constructor(spec: PtySpec) {
    this.#pty = spawnPty(spec);
    this.#keys = new PtyWriter(this.#pty);
    this.pid = this.#pty.pid;
    this.#screen = new Screen(spec.cols, spec.rows, {
      reply: (bytes) => this.write(bytes),
      changed: () => callAll(this.#changed, undefined),
    });
    this.#pty.onData((data) => {
      this.#screen.write(data);
      callAll(this.#data, data);
    });
    this.#pty.onExit(({ exitCode, signal }) => void this.#end(exitCode, signal));
  }

  get title(): string {
    return this.#screen.title;
  }

  get size(): { cols: number; rows: number } {
    // The PTY's: the screen follows once what came at the old size is drawn.
    return { cols: this.#pty.cols, rows: this.#pty.rows };
  }

  rows(options?: { bright?: boolean }): string[] {
    return this.#screen.rows(options);
  }

  /** The screen after all output so far; what `onData` tells from this call on comes on top of it. */
  snapshot(): Promise<Snapshot> {
    return this.#screen.snapshot();
  }

  /** Sends keys; they wait while the program does not read. Harmless after the exit. */
  write(keys: string): void {
    if (this.#exit) return;
    try {
      this.#keys.write(Buffer.from(keys));
    } catch {
      // The PTY closed between the exit and its event.
    }
  }

  resize(cols: number, rows: number): void {
    if (this.#exit || cols < 1 || rows < 1) return;
    try {
      this.#pty.resize(cols, rows);
      this.#screen.resize(cols, rows);
    } catch {
      // As above.
    }
  }

  /** Signals the program, or all of its process group, which it leads. Harmless after the exit. */
  kill(signal: NodeJS.Signals, all = false): void {
    if (this.#exit) return;
    try {
      process.kill(all ? -this.pid : this.pid, signal);
    } catch {
      // Gone already; the exit event is on its way.
    }
  }

  /** The picture or the title changed. */
  onChange(listener: () => void): Unsubscribe {
    return subscribe(this.#changed, listener);
  }

  /** Raw output, for a viewer. */
  onData(listener: (data: string) => void): Unsubscribe {
    return subscribe(this.#data, listener);
  }

  /** Called once, after the last output was drawn; at once when it ended before. */
  onExit(listener: (exit: Exit) => void): Unsubscribe {
    if (this.#exit) queueMicrotask(() => listener(this.#exit ?? { code: undefined, signal: undefined }));
    return subscribe(this.#exited, listener);
  }

  async #end(code: number, signal: number | undefined): Promise<void> {
    this.#keys.close();
    await this.#screen.drawn();
    this.#exit = signal ? { code: undefined, signal } : { code, signal: undefined };
    callAll(this.#changed, undefined);
    callAll(this.#exited, this.#exit);
    this.#changed.clear();
    this.#data.clear();
    this.#exited.clear();
  }
}

export function openTerminal(spec: PtySpec): LiveTerminal {
  return new LiveTerminal(spec);
}

function subscribe<T>(set: Set<T>, listener: T): Unsubscribe {
  set.add(listener);
  return () => set.delete(listener);
}

function callAll<T>(listeners: Set<(value: T) => void>, value: T): void {
  for (const listener of [...listeners]) listener(value);
}
