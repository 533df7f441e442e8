import { hash } from 'node:crypto';

/** Of all that a hit shows of a chunk, so that a damaged row is found and not shown. 16 bytes. */
export const chunkHash = (path: string, line: number, heading: string, text: string): Uint8Array =>
  hash('sha256', `${path}\0${line}\0${heading}\0${text}`, 'buffer').subarray(0, 16);
