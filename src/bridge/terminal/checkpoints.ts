// When the picture of a terminal is handed to its host, which then need not keep what was drawn before.
import type { Cancel, Clock } from '../../base/time/clock.ts';

/** After so much output, bytes; and after so long without any, ms. */
const everyBytes = 256 * 1024;
const quietMs = 5_000;
/** What a character or an escape sequence may be longer than it is, bytes. */
const longestTail = 4 * 1024;

export interface CheckpointsOptions {
  clock: Clock;
  /** The picture of everything drawn so far, and of nothing after it. */
  take(at: number): void;
}

export class Checkpoints {
  readonly #options: CheckpointsOptions;
  #tail = Buffer.alloc(0);
  /** Offset behind the newest byte, and behind the last that is in a checkpoint. */
  #at = 0;
  #taken = 0;
  #quiet: Cancel = () => {};

  constructor(options: CheckpointsOptions) {
    this.#options = options;
  }

  /** Offset behind the newest byte. */
  get at(): number {
    return this.#at;
  }

  /** What the host has as a checkpoint. */
  had(at: number): void {
    this.#at = at;
    this.#taken = at;
  }

  /** Output came. @param at offset of its first byte */
  drew(at: number, bytes: Buffer): void {
    this.#at = at + bytes.length;
    this.#tail = Buffer.concat([this.#tail.subarray(-longestTail), bytes.subarray(-longestTail)]);
    if (this.#at - this.#taken >= everyBytes && this.#take()) return;
    this.#quiet();
    this.#quiet = this.#options.clock.after(quietMs, () => this.#take());
  }

  close(): void {
    this.#quiet();
  }

  /** @returns false in the middle of a character or an escape sequence: no picture says how it goes on */
  #take(): boolean {
    if (!endsWhole(this.#tail)) return false;
    this.#quiet();
    this.#taken = this.#at;
    this.#tail = Buffer.alloc(0);
    this.#options.take(this.#at);
    return true;
  }
}

const esc = 0x1b;

/** Whether a terminal that was given this is at rest, as far as it can be told from the end. */
export function endsWhole(bytes: Buffer): boolean {
  const start = bytes.lastIndexOf(esc);
  return endsWholeCharacter(bytes) && (start === -1 || isWhole(bytes.toString('latin1', start + 1)));
}

/** @param sequence behind its ESC, the last there is */
function isWhole(sequence: string): boolean {
  switch (sequence[0]) {
    case undefined:
      return false;
    // CSI: parameters, then one final byte.
    case '[':
      return /^\[[\x20-\x3f]*[\x40-\x7e]/.test(sequence);
    // Strings (OSC, DCS, SOS, PM, APC) end with BEL, or with an ESC that would be the last one then.
    case ']':
    case 'P':
    case 'X':
    case '^':
    case '_':
      return /[\x07\x18\x1a]/.test(sequence);
    default:
      return !/^[\x20-\x2f]+$/.test(sequence);
  }
}

function endsWholeCharacter(bytes: Buffer): boolean {
  for (let back = 1; back <= Math.min(4, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return true;
    if (byte >= 0xc0) return back >= (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2);
  }
  return bytes.length === 0;
}
