import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** Bytes read at once. */
const pieceBytes = 128 * 1024;

/** What Claude Code keeps of a session, as it comes: written beside the place where it belongs, which it takes when whole. */
export class TranscriptFile {
  readonly #path: string;
  #file: number | undefined;
  #size = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** @param offset what lies behind it goes away; absent: at the end */
  add(bytes: Uint8Array, offset = this.#size): void {
    if (this.#file === undefined) {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      rmSync(this.#aside, { force: true });
      this.#file = openSync(this.#aside, 'wx+', 0o600);
    }
    if (offset < this.#size) ftruncateSync(this.#file, offset);
    writeSync(this.#file, bytes, 0, bytes.length, offset);
    this.#size = offset + bytes.length;
  }

  /**
   * Keeps its whole lines: a machine that lost power may have sent half of the last one, and Claude Code 2.1.332, which
   * begins a new line behind that, keeps it as one that it can never read.
   *
   * @returns bytes that are kept
   */
  keep(): number {
    if (this.#file === undefined) return 0;
    this.#size = endOfLines(this.#file, this.#size);
    ftruncateSync(this.#file, this.#size);
    fsyncSync(this.#file);
    closeSync(this.#file);
    this.#file = undefined;
    renameSync(this.#aside, this.#path);
    return this.#size;
  }

  /** What is not whole goes away. */
  close(): void {
    if (this.#file === undefined) return;
    closeSync(this.#file);
    rmSync(this.#aside, { force: true });
  }

  get #aside(): string {
    return `${this.#path}.arriving`;
  }
}

/** @returns position behind the last newline before `end`; 0 when there is none */
function endOfLines(file: number, end: number): number {
  const piece = Buffer.alloc(Math.min(pieceBytes, end));
  for (let to = end; to > 0; ) {
    const from = Math.max(0, to - piece.length);
    const bytes = piece.subarray(0, readSync(file, piece, 0, to - from, from));
    const at = bytes.lastIndexOf(0x0a);
    if (at >= 0) return from + at + 1;
    to = from;
  }
  return 0;
}
