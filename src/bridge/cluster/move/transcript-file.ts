import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

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
      this.#file = openSync(this.#aside, 'wx', 0o600);
    }
    if (offset < this.#size) ftruncateSync(this.#file, offset);
    writeSync(this.#file, bytes, 0, bytes.length, offset);
    this.#size = offset + bytes.length;
  }

  keep(): void {
    if (this.#file === undefined) return;
    fsyncSync(this.#file);
    closeSync(this.#file);
    this.#file = undefined;
    renameSync(this.#aside, this.#path);
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
