import { StringDecoder } from 'node:string_decoder';
import { identityOf, isAlive, type ProcessIdentity } from '../../base/process/process-identity.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { HostExit, OwnerFrame } from '../../protocol/wire/host.ts';
import { Checkpoints } from './checkpoints.ts';
import { Screen, type Snapshot } from './screen.ts';

export interface Exit {
  /** Exit code; undefined when a signal ended it. */
  code: number | undefined;
  /** Signal number; undefined when it ended by itself. */
  signal: number | undefined;
  /** How it ended is not known: its host ended first, and the terminal with it. */
  lost?: true;
  /** What it left running, and its host has ended: each by its command. */
  left?: readonly string[];
}

type Unsubscribe = () => void;

/**
 * From the end of a host until its program, which has no terminal any more, is killed; and between two signals, ms. Claude
 * Code ends within 250 (measured), and its chat is to read within a second that it did.
 */
const orphanMs = 500;
/** From the kill to going without its end, ms: the kernel may hold a process that waits for a disk. */
const unkillableMs = 2_000;
const lookMs = 50;

export interface LiveTerminalOptions {
  clock: Clock;
  program: { pid: number; cols: number; rows: number };
  /** What comes first was said to an owner before: what the program asked its terminal then is answered. */
  isReplayed: boolean;
  /** Whether the process that has the terminal is there. */
  isHostAlive(): boolean;
  /** To the host. */
  send(frame: OwnerFrame, bytes?: Uint8Array): void;
}

/** The terminal of a program that a host has, together with the screen it draws. */
export class LiveTerminal {
  readonly pid: number;
  readonly #clock: Clock;
  readonly #send: LiveTerminalOptions['send'];
  readonly #isHostAlive: () => boolean;
  readonly #process: ProcessIdentity;
  readonly #screen: Screen;
  readonly #text = new StringDecoder('utf8');
  readonly #checkpoints: Checkpoints;
  readonly #changed = new Set<() => void>();
  readonly #data = new Set<(data: string) => void>();
  readonly #exited = new Set<(exit: Exit) => void>();
  #size: { cols: number; rows: number };
  /** What the program asked its terminal was answered before. */
  #isMuted: boolean;
  /** Nothing can be sent any more. */
  #isOver = false;
  #exit: Exit | undefined;

  constructor({ clock, program, isReplayed, isHostAlive, send }: LiveTerminalOptions) {
    const { pid, cols, rows } = program;
    this.pid = pid;
    this.#clock = clock;
    this.#send = send;
    this.#isHostAlive = isHostAlive;
    this.#process = identityOf(pid);
    this.#size = { cols, rows };
    this.#screen = new Screen(cols, rows, {
      reply: (bytes) => {
        if (!this.#isMuted) this.write(bytes);
      },
      changed: () => callAll(this.#changed, undefined),
    });
    this.#isMuted = isReplayed;
    this.#checkpoints = new Checkpoints({ clock, take: (at) => void this.#checkpoint(at) });
  }

  get title(): string {
    return this.#screen.title;
  }

  get size(): { cols: number; rows: number } {
    // The program's: the screen follows once what came at the old size is drawn.
    return { ...this.#size };
  }

  rows(options?: { bright?: boolean }): string[] {
    return this.#screen.rows(options);
  }

  /** The screen after all output so far; what `onData` tells from this call on comes on top of it. */
  snapshot(): Promise<Snapshot> {
    return this.#screen.snapshot();
  }

  /** Sends keys; they wait while the program does not read. Harmless after the exit. @param id names them for the host */
  write(keys: string, id?: string): void {
    if (!this.#isOver) this.#send({ type: 'input', ...(id !== undefined && { id }) }, Buffer.from(keys));
  }

  resize(cols: number, rows: number): void {
    if (this.#isOver || cols < 1 || rows < 1) return;
    this.#size = { cols, rows };
    this.#send({ type: 'resize', cols, rows });
    this.#screen.resize(cols, rows);
  }

  /** Signals the program, or all of its process group, which it leads. Harmless after the exit. */
  kill(signal: NodeJS.Signals, all = false): void {
    if (!this.#isOver) this.#send({ type: 'kill', signal, all });
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

  /** The screen as it was behind output byte `at`. */
  restored({ at, cols, rows }: { at: number; cols: number; rows: number }, picture: Buffer): void {
    const { size } = this;
    this.#screen.resize(cols, rows);
    this.#screen.write(picture);
    this.#screen.resize(size.cols, size.rows);
    this.#checkpoints.had(at);
  }

  /** Output came. @param at offset of its first byte: what lies between it and the last one is lost */
  drew(at: number, bytes: Buffer): void {
    const isTorn = at > this.#checkpoints.at;
    this.#checkpoints.drew(at, bytes);
    this.#screen.write(bytes);
    callAll(this.#data, this.#text.write(bytes));
    if (isTorn) this.#redraw();
  }

  /** Everything that was said to an owner before has come. */
  async attached(): Promise<void> {
    await this.#screen.drawn();
    this.#isMuted = false;
  }

  /** The program ended, and this was its last output. */
  exited({ code, signal, left }: HostExit): void {
    void this.#end({ code, signal, ...(left && { left }) });
  }

  /** Somebody else has it from here on: nothing is sent, and nothing is told of it any more. */
  leave(): void {
    this.#isOver = true;
    this.#checkpoints.close();
    this.#changed.clear();
    this.#data.clear();
    this.#exited.clear();
  }

  /**
   * The connection to the host is over. If that is gone, its program has no terminal any more: one that stays is ended,
   * and only then told to have exited. If it is there, somebody else has it now.
   */
  lost(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#awaitEnd(this.#clock.now() + orphanMs);
  }

  #awaitEnd(deadline: number): void {
    const isElsewhere = this.#isHostAlive();
    const late = this.#clock.now() - deadline;
    if (isAlive(this.#process) && late < (isElsewhere ? 0 : unkillableMs)) {
      if (!isElsewhere) signalled(this.#process, late < 0 ? 'SIGTERM' : 'SIGKILL');
      this.#clock.after(lookMs, () => this.#awaitEnd(deadline));
      return;
    }
    void this.#end({ code: undefined, signal: undefined, lost: true });
  }

  /** A program draws everything anew when its size changes. */
  #redraw(): void {
    const { cols, rows } = this.#size;
    this.#send({ type: 'resize', cols: cols + 1, rows });
    this.#send({ type: 'resize', cols, rows });
  }

  async #checkpoint(at: number): Promise<void> {
    const { cols, rows, data } = await this.#screen.snapshot();
    if (!this.#isOver) this.#send({ type: 'checkpoint', at, cols, rows }, Buffer.from(data));
  }

  async #end(exit: Exit): Promise<void> {
    this.#isOver = true;
    this.#checkpoints.close();
    await this.#screen.drawn();
    this.#exit = exit;
    callAll(this.#changed, undefined);
    callAll(this.#exited, exit);
    this.#changed.clear();
    this.#data.clear();
    this.#exited.clear();
  }
}

/** Signals the group that this process leads, if it is still there. */
function signalled(leader: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!isAlive(leader)) return;
  try {
    process.kill(-leader.pid, signal);
  } catch {
    // It went meanwhile.
  }
}

function subscribe<T>(set: Set<T>, listener: T): Unsubscribe {
  set.add(listener);
  return () => set.delete(listener);
}

function callAll<T>(listeners: Set<(value: T) => void>, value: T): void {
  for (const listener of [...listeners]) listener(value);
}
