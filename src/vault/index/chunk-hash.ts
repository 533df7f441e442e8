import { hash } from 'node:crypto';

/** What of a part a model is given: the same words under the same heading mean the same, wherever they stand. */
export const meaningText = (heading: string, text: string): string =>
  heading ? `${heading}\n${text}` : text;

/** Of what a model is given of it: vectors are kept by it. 16 bytes. */
export const meaningHash = (heading: string, text: string): Uint8Array =>
  hash('sha256', meaningText(heading, text), 'buffer').subarray(0, 16);

/** Of all that a hit shows of a chunk, so that a damaged row is found and not shown. 16 bytes. */
export const chunkHash = (path: string, line: number, heading: string, text: string): Uint8Array =>
  hash('sha256', `${path}\0${line}\0${heading}\0${text}`, 'buffer').subarray(0, 16);
