// What is typed into a pseudoterminal. node-pty's own `write` waits inside libuv until the program has read (libuv falls
// back to blocking writes for a PTY master): a program that is itself waiting for its output to be read, or that hangs,
// would stop the whole process. So keys wait here, in order, and the event loop goes on.
import { writeSync } from 'node:fs';

/** Between two tries while the program does not read, ms: the first and the longest. */
const firstWaitMs = 2;
const longestWaitMs = 64;

/** As node-pty publishes it. */
interface Pty {
  write(keys: string): void;
}

/** What node-pty has on POSIX besides its published interface. On Windows writes do not block. */
interface PosixPty {
  /** The master, non-blocking. */
  fd: number;
  _socket: { destroyed: boolean };
}

const isPosix = (pty: object): pty is PosixPty =>
  process.platform !== 'win32' && 'fd' in pty && typeof pty.fd === 'number' && '_socket' in pty;

export class PtyWriter {
  readonly #pty: Pty;
  #waiting: Buffer[] = [];
  /** The first of them that is not written whole: a long message is many, and taking each off the front moves the rest. */
  #next = 0;
  #waitMs = firstWaitMs;
  #timer: NodeJS.Timeout | undefined;

  constructor(pty: Pty) {
    this.#pty = pty;
  }

  /** @param keys must not change any more @throws when the terminal is gone */
  write(keys: Buffer): void {
    if (!isPosix(this.#pty)) return this.#pty.write(keys.toString());
    if (keys.length === 0) return;
    this.#waiting.push(keys);
    if (this.#timer === undefined) this.#flush(this.#pty);
  }

  /** Forgets what is not written yet. Idempotent. */
  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
    this.#next = 0;
  }

  #flush(pty: PosixPty): void {
    this.#timer = undefined;
    for (;;) {
      const next = this.#waiting[this.#next];
      // A closed descriptor's number may belong to another file by now.
      if (next === undefined || pty._socket.destroyed) return this.close();
      const written = writeNow(pty.fd, next);
      if (written === undefined) break;
      this.#waitMs = firstWaitMs;
      if (written === next.length) this.#next += 1;
      else this.#waiting[this.#next] = next.subarray(written);
    }
    this.#timer = setTimeout(() => this.#retry(pty), this.#waitMs);
    this.#waitMs = Math.min(longestWaitMs, this.#waitMs * 2);
  }

  #retry(pty: PosixPty): void {
    try {
      this.#flush(pty);
    } catch {
      // The terminal closed meanwhile; its exit event is on its way.
      this.close();
    }
  }
}

/** @returns bytes written, undefined when the terminal takes none now @throws when it is gone */
function writeNow(fd: number, bytes: Buffer): number | undefined {
  try {
    return writeSync(fd, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
    throw error;
  }
}
