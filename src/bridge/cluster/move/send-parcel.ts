import { createReadStream } from 'node:fs';
import { type Duplex, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { type ParcelHead, type ParcelLine, pieceBytes, Receipt } from './parcel.ts';

const line = (each: ParcelLine): string => `${JSON.stringify(each)}\n`;

/**
 * Sends a conversation, and waits until the other machine has it on its disk.
 * @param far a connection to it, ended by this
 * @param transcript path of a file; undefined when there is none
 * @returns what it says; the words are of the connection when that fails
 */
export async function sendParcel(
  far: Duplex,
  head: ParcelHead,
  transcript: string | undefined,
): Promise<Receipt> {
  async function* lines(): AsyncGenerator<string> {
    yield line(head);
    if (transcript !== undefined)
      for await (const piece of createReadStream(transcript, { highWaterMark: pieceBytes }))
        yield line({ kind: 'transcript', data: (piece as Buffer).toString('base64') });
    yield line({ kind: 'end' });
  }
  return await exchange(far, Readable.from(lines()));
}

/** Tells another machine to look where a conversation lives. Whether it heard that does not matter: it looks by itself. */
export async function sendLook(far: Duplex, session: string): Promise<Receipt> {
  return await exchange(far, Readable.from([line({ kind: 'look', session })]));
}

async function exchange(far: Duplex, lines: Readable): Promise<Receipt> {
  try {
    // Whoever refuses it answers before all of it was sent; a connection that fails fails for both.
    pipeline(lines, far).catch(() => {});
    return Receipt.parse(JSON.parse(await text(far)));
  } catch (error) {
    return { ok: false, words: error instanceof Error ? error.message : String(error) };
  } finally {
    far.destroy();
  }
}
