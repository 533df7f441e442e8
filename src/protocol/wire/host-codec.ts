// Frames between a bridge and a host: [u32 length of what follows][u16 length of the head][head: JSON][bytes].
import type { HostFrame, OwnerFrame } from './host.ts';

/** A head and what travels beside it. */
export interface Framed<F> {
  frame: F;
  bytes: Buffer;
}

/** Longest frame, bytes: a hook's body may be 8 MiB, and its answer as long. */
export const longestHostFrame = 16 * 1024 * 1024;

const none = Buffer.alloc(0);

/**
 * What goes before the bytes of a frame, for who sends those without copying them.
 * @param length of the bytes @throws RangeError for a head of more than 64 KiB
 */
export function hostFrameHead(frame: OwnerFrame | HostFrame, length: number): Buffer {
  const head = Buffer.from(JSON.stringify(frame));
  const out = Buffer.allocUnsafe(6 + head.length);
  out.writeUInt32BE(2 + head.length + length, 0);
  out.writeUInt16BE(head.length, 4);
  out.set(head, 6);
  return out;
}

/** @throws as `hostFrameHead` */
export function encodeHostFrame(frame: OwnerFrame | HostFrame, bytes: Uint8Array = none): Buffer {
  return Buffer.concat([hostFrameHead(frame, bytes.length), bytes]);
}

/** Cuts a stream into frames. Each byte is copied three times at most, however the stream was cut before. */
export class HostFrameReader<F extends OwnerFrame | HostFrame> {
  #parts: Buffer[] = [];
  #length = 0;
  /** Bytes that must be here before the next step. */
  #wanted = 4;

  /**
   * @returns the frames that are whole now, in order. Their bytes are views: copy what is to be kept.
   * @throws RangeError for a length that no frame has, SyntaxError for a head that is no JSON object with a `type`
   */
  push(chunk: Buffer): Framed<F>[] {
    this.#parts.push(chunk);
    this.#length += chunk.length;
    const frames: Framed<F>[] = [];
    while (this.#length >= this.#wanted) {
      const all = this.#parts.length === 1 ? (this.#parts[0] ?? none) : Buffer.concat(this.#parts);
      this.#parts = [all];
      const length = all.readUInt32BE(0);
      if (length < 4 || length > longestHostFrame) throw new RangeError(`a frame of ${length} bytes`);
      this.#wanted = 4 + length;
      if (this.#length < this.#wanted) break;
      frames.push(decode<F>(all.subarray(4, this.#wanted)));
      this.#length -= this.#wanted;
      // An empty view would keep the whole of a long frame in memory.
      this.#parts = this.#length === 0 ? [] : [all.subarray(this.#wanted)];
      this.#wanted = 4;
    }
    return frames;
  }
}

function decode<F extends { type: string }>(all: Buffer): Framed<F> {
  const end = 2 + all.readUInt16BE(0);
  if (end > all.length) throw new RangeError('a head that is longer than its frame');
  const frame: unknown = JSON.parse(all.toString('utf8', 2, end));
  if (typeof frame !== 'object' || frame === null || !('type' in frame) || typeof frame.type !== 'string') {
    throw new SyntaxError('a head without a type');
  }
  return { frame: frame as F, bytes: all.subarray(end) };
}
