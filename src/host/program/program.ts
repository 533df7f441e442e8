// The program on the terminal, and what it said since the newest checkpoint.
import type { IPty } from '@lydell/node-pty';
import { PtyWriter } from '../../base/process/pty-writer.ts';
import type { HostExit, HostedProgram, HostedSpec, HostFrame } from '../../protocol/wire/host.ts';
import { containedIn } from './contained.ts';
import { type PtySpec, spawnPty } from './pty.ts';
import { Ring } from './ring.ts';

/** Output that is kept, bytes. */
const mostOutput = 1024 * 1024;

/** What bubblewrap itself may be sent: its end is that of all it contains, and what was stopped with it goes on with it. */
const forAll: ReadonlySet<NodeJS.Signals> = new Set(['SIGKILL', 'SIGSTOP', 'SIGCONT']);

export type Send = (frame: HostFrame, bytes?: Uint8Array) => void;

export interface Checkpoint {
  at: number;
  cols: number;
  rows: number;
  /** Escape sequences that draw the screen as it was then. */
  bytes: Buffer;
}

export interface ProgramOptions {
  spec: PtySpec & Pick<HostedSpec, 'contained'>;
  /** @param at offset of the first byte */
  output(at: number, bytes: Buffer): void;
  /** Ends what it left running. @returns each by its command */
  sweep(): string[];
  /** Once, after the last output. */
  exited(exit: HostExit): void;
}

export class Program {
  readonly pid: number;
  /** Resolves after the last output. */
  readonly exited: Promise<void>;
  readonly #isContained: boolean;
  readonly #pty: IPty;
  readonly #keys: PtyWriter;
  readonly #ring = new Ring(mostOutput);
  #checkpoint: Checkpoint | undefined;
  #typed: string | undefined;
  #exit: HostExit | undefined;

  /** @throws when it cannot be started */
  constructor({ spec, output, sweep, exited }: ProgramOptions) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.exited = promise;
    this.#isContained = spec.contained === true;
    this.#pty = spawnPty(spec);
    this.#keys = new PtyWriter(this.#pty);
    this.pid = this.#pty.pid;
    // The published type does not know of `encoding: null`.
    this.#pty.onData((data: string | Buffer) => {
      const bytes = typeof data === 'string' ? Buffer.from(data) : data;
      const at = this.#ring.end;
      this.#ring.push(bytes);
      output(at, bytes);
    });
    this.#pty.onExit(({ exitCode, signal }) => {
      this.#keys.close();
      const left = sweep();
      this.#exit = { ...(signal ? { signal } : { code: exitCode }), ...(left.length > 0 && { left }) };
      exited(this.#exit);
      resolve();
    });
  }

  get exit(): HostExit | undefined {
    return this.#exit;
  }

  get described(): HostedProgram {
    const { cols, rows } = this.#pty;
    return {
      pid: this.pid,
      cols,
      rows,
      at: this.#ring.end,
      ...(this.#typed !== undefined && { typed: this.#typed }),
      ...(this.#exit && { exit: this.#exit }),
    };
  }

  /** One that is older than the newest, or ahead of the output, is nothing to go by. */
  keep(checkpoint: Checkpoint): void {
    if (checkpoint.at > this.#ring.end || checkpoint.at < (this.#checkpoint?.at ?? 0)) return;
    this.#checkpoint = { ...checkpoint, bytes: Buffer.from(checkpoint.bytes) };
    this.#ring.dropBefore(checkpoint.at);
  }

  sendSnapshot(send: Send): void {
    if (!this.#checkpoint) return;
    const { bytes, ...where } = this.#checkpoint;
    send({ type: 'snapshot', ...where }, bytes);
  }

  sendOutput(send: Send): void {
    for (const { at, bytes } of this.#ring.pieces()) send({ type: 'output', at }, bytes);
  }

  /** Keys wait while the program does not read. Harmless after the exit. @param id a repeat of the newest is left out */
  type(keys: Buffer, id?: string): void {
    if (this.#exit || (id !== undefined && id === this.#typed)) return;
    try {
      this.#keys.write(keys);
      this.#typed = id ?? this.#typed;
    } catch {
      // The PTY closed between the exit and its event.
    }
  }

  /** Sizes below 1 do nothing. Harmless after the exit. */
  resize(cols: number, rows: number): void {
    if (this.#exit || cols < 1 || rows < 1) return;
    try {
      this.#pty.resize(cols, rows);
    } catch {
      // As above, or more than a terminal can have.
    }
  }

  /** Signals the program, or all of its process group, which it leads. Harmless after the exit. */
  kill(signal: NodeJS.Signals, all = false): void {
    if (this.#exit) return;
    if (this.#isContained && !forAll.has(signal)) {
      const inside = containedIn(this.pid);
      for (const pid of all ? inside : inside.slice(0, 1)) signalled(pid, signal);
      // bubblewrap has started nothing yet: what would end that ends it.
      if (inside.length > 0) return;
    }
    // For a moment after its start it leads no group yet.
    const isHeard = all && signalled(-this.pid, signal);
    if (!isHeard) signalled(this.pid, signal);
  }

  /** Its output waits in the kernel, and then the program, until `resume`. */
  pause(): void {
    if (!this.#exit) this.#pty.pause();
  }

  resume(): void {
    if (!this.#exit) this.#pty.resume();
  }
}

/** @returns false when there is no such process or group, or no such signal */
function signalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
