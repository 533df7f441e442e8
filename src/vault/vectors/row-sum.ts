// A checksum a row, for stores that have none of their own.
import { crc32 } from 'node:zlib';

/** CRC-32 of all parts, one after the other. */
export const rowSum = (...parts: readonly Uint8Array[]): number =>
  parts.reduce((sum, part) => crc32(part, sum), 0);

/** The same memory: 32-bit floats, little-endian. */
export const bytesOf = (numbers: Float32Array): Uint8Array =>
  new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
