// One frame of zstd, and many of them one behind the other in a file, which `zstd -dc` reads as one text. Node does not:
// zstdDecompressSync stops behind the first frame, and createZstdDecompress leaves out what stands behind a frame in the
// same chunk, both without a word (measured on 24.21). So the length of each frame is taken from its headers (RFC 8878).
import { closeSync, constants, fstatSync, readSync } from 'node:fs';
import { openPrivate } from '../../../base/files/private-file.ts';
import { SegmentDamagedError } from './segment-error.ts';

/** Most starts have nothing to do with an archive, and loading it takes a millisecond. */
const zlib = () => process.getBuiltinModule('node:zlib');

/** Its text with a sum over it, so that no flipped byte gets as far as a row. */
export const compressFrame = (text: string): Buffer =>
  zlib().zstdCompressSync(text, { params: { [zlib().constants.ZSTD_c_checksumFlag]: 1 } });

/** Its text as it is, with a sum: in such a frame every bit has a meaning, in a packed one some have none. */
export function storeFrame(text: string): Buffer {
  const { ZSTD_c_checksumFlag, ZSTD_c_compressionLevel } = zlib().constants;
  const params = { [ZSTD_c_checksumFlag]: 1, [ZSTD_c_compressionLevel]: -131_072 };
  return zlib().zstdCompressSync(text, { params });
}

/** What a frame has beside a text that is stored as it is, at least, in bytes; no packed one is as long. */
const overhead = 13;

const magic = 0xfd2fb528;
/** A sum at the end, no dictionary, and the two bits that have no meaning. */
const ourFlags = 0b0000_0100;
/** What a block of each kind holds behind its header, in bytes; the fourth kind is not in use. */
const contentOf = [(size: number) => size, () => 1, (size: number) => size];

export interface Frame {
  bytes: Buffer;
  text: string;
  /** Made by `storeFrame`. */
  isStored: boolean;
  /** Nothing stands behind it. */
  isLast: boolean;
}

/** The frames of a file, one in memory at a time. */
export class FrameFile {
  readonly #path: string;
  readonly #fd: number;
  readonly #size: number;
  #at = 0;

  /** @throws UnsafePathError, or what the file system throws */
  constructor(path: string) {
    this.#path = path;
    this.#fd = openPrivate(path, constants.O_RDONLY);
    this.#size = fstatSync(this.#fd).size;
  }

  close(): void {
    closeSync(this.#fd);
  }

  /** @returns undefined at the end. @throws SegmentDamagedError, or what the file system throws */
  next(): Frame | undefined {
    if (this.#at === this.#size) return undefined;
    const start = this.#at;
    const { length, content } = this.#measure(start);
    const bytes = this.#bytes(start, length);
    const text = this.#text(start, bytes, content);
    this.#at = start + length;
    return { bytes, text, isStored: length >= content + overhead, isLast: this.#at === this.#size };
  }

  /** Fails, too, when it is longer or shorter than its head says. */
  #text(start: number, bytes: Buffer, content: number): string {
    try {
      return zlib().zstdDecompressSync(bytes, { maxOutputLength: content }).toString('utf8');
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw this.#damage(`the frame at byte ${start} cannot be unpacked (${why})`, error);
    }
  }

  #measure(start: number): { length: number; content: number } {
    const header = this.#bytes(start, 5);
    const flags = header.readUInt8(4);
    const isSingle = (flags & 0x20) !== 0;
    const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][flags >> 6] ?? 0;
    if (header.readUInt32LE(0) !== magic || (flags & 0x1f) !== ourFlags || sizeBytes === 0) {
      throw this.#damage(`no frame of ours begins at byte ${start}`);
    }
    const sizeAt = start + 5 + (isSingle ? 0 : 1);
    const content = contentSize(this.#bytes(sizeAt, sizeBytes));
    let at = sizeAt + sizeBytes;
    for (let isLast = false; !isLast; ) {
      const block = this.#bytes(at, 3).readUIntLE(0, 3);
      isLast = (block & 1) === 1;
      const held = contentOf[(block >> 1) & 3]?.(block >> 3);
      if (held === undefined) throw this.#damage(`the frame at byte ${start} has a block of no known kind`);
      at += 3 + held;
    }
    return { length: at + 4 - start, content };
  }

  #bytes(at: number, length: number): Buffer {
    if (at + length > this.#size)
      throw this.#damage(`it ends in the middle of a frame, at byte ${this.#size}`);
    const bytes = Buffer.allocUnsafe(length);
    for (let read = 0; read < length; ) {
      const more = readSync(this.#fd, bytes, read, length - read, at + read);
      if (more === 0) throw this.#damage('it became shorter while it was read');
      read += more;
    }
    return bytes;
  }

  #damage(why: string, cause?: unknown): SegmentDamagedError {
    return new SegmentDamagedError(this.#path, why, cause);
  }
}

/** Two bytes count from 256. What is too long for a number is no size of ours, and fails when it is unpacked. */
function contentSize(field: Buffer): number {
  if (field.length === 8) return Number(field.readBigUInt64LE());
  return field.readUIntLE(0, field.length) + (field.length === 2 ? 256 : 0);
}
