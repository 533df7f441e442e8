// Frames between a bridge and a host: [u32 length of what follows][u16 length of the head][head: JSON][bytes]. Once both
// ends have proven themselves, what follows the length is sealed as a whole.
import type { HostFrame, OwnerFrame } from './host.ts';

/** A head and what travels beside it. */
export interface Framed<F> {
  frame: F;
  bytes: Buffer;
}

/** Longest frame, bytes: a hook's body may be 8 MiB, and its answer as long. */
export const longestHostFrame = 16 * 1024 * 1024;
/** Longest one of somebody who has proven nothing yet. */
export const longestUnproven = 4 * 1024;

/** Seals what follows the length of a frame. */
export interface FrameSealer {
  seal(parts: readonly Uint8Array[]): Uint8Array[];
}

/** Opens what such a one has sealed. */
export interface FrameOpener {
  /** @throws for what is not the next one of it */
  open(sealed: Buffer): Buffer;
}

const none = Buffer.alloc(0);

/**
 * A frame in parts that go out one behind the other. The bytes are among them, uncopied, unless they are sealed.
 * @throws RangeError for a head of more than 64 KiB
 */
export function hostFrameParts(
  frame: OwnerFrame | HostFrame,
  bytes: Uint8Array = none,
  sealer?: FrameSealer,
): Uint8Array[] {
  const json = Buffer.from(JSON.stringify(frame));
  const head = Buffer.allocUnsafe(2 + json.length);
  head.writeUInt16BE(json.length, 0);
  head.set(json, 2);
  const parts = sealer ? sealer.seal([head, bytes]) : [head, bytes];
  const length = Buffer.allocUnsafe(4);
  length.writeUInt32BE(parts.reduce((sum, part) => sum + part.length, 0));
  return [length, ...parts.filter((part) => part.length > 0)];
}

/** @throws as `hostFrameParts` */
export function encodeHostFrame(
  frame: OwnerFrame | HostFrame,
  bytes?: Uint8Array,
  sealer?: FrameSealer,
): Buffer {
  return Buffer.concat(hostFrameParts(frame, bytes, sealer));
}

/**
 * Cuts a stream into frames. Each byte is copied three times at most, however the stream was cut before, and once more when
 * it was sealed.
 */
export class HostFrameReader<F extends OwnerFrame | HostFrame> {
  #opener: FrameOpener | undefined;
  #parts: Buffer[] = [];
  #length = 0;
  /** Bytes that must be here before the next step. */
  #wanted = 4;

  /** Everything from the next `push` on is sealed, and the other end is proven. */
  openWith(opener: FrameOpener): void {
    this.#opener = opener;
  }

  /**
   * @returns the frames that are whole now, in order. Their bytes are views: copy what is to be kept.
   * @throws RangeError for a length that no frame has, SyntaxError for a head that is no JSON object with a `type`, and as
   * `FrameOpener`
   */
  push(chunk: Buffer): Framed<F>[] {
    this.#parts.push(chunk);
    this.#length += chunk.length;
    const frames: Framed<F>[] = [];
    while (this.#length >= this.#wanted) {
      const all = this.#parts.length === 1 ? (this.#parts[0] ?? none) : Buffer.concat(this.#parts);
      this.#parts = [all];
      const length = all.readUInt32BE(0);
      if (length < 4 || length > this.#longest) throw new RangeError(`a frame of ${length} bytes`);
      this.#wanted = 4 + length;
      if (this.#length < this.#wanted) break;
      const sealed = all.subarray(4, this.#wanted);
      frames.push(decode<F>(this.#opener?.open(sealed) ?? sealed));
      this.#length -= this.#wanted;
      // An empty view would keep the whole of a long frame in memory.
      this.#parts = this.#length === 0 ? [] : [all.subarray(this.#wanted)];
      this.#wanted = 4;
    }
    return frames;
  }

  /** A seal is short; that a frame is longer by it does not matter. */
  get #longest(): number {
    return this.#opener ? longestHostFrame : longestUnproven;
  }
}

function decode<F extends { type: string }>(all: Buffer): Framed<F> {
  if (all.length < 2) throw new RangeError('a frame without a head');
  const end = 2 + all.readUInt16BE(0);
  if (end > all.length) throw new RangeError('a head that is longer than its frame');
  const frame: unknown = JSON.parse(all.toString('utf8', 2, end));
  if (typeof frame !== 'object' || frame === null || !('type' in frame) || typeof frame.type !== 'string') {
    throw new SyntaxError('a head without a type');
  }
  return { frame: frame as F, bytes: all.subarray(end) };
}
