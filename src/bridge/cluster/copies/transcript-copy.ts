// Claude Code's transcript of a conversation in the stream of copies: what it appended since it was looked at last.
import { open } from 'node:fs/promises';
import { copyHeaders } from '../../../protocol/cluster-copy.ts';
import type { StoredCopy } from './copy-store.ts';
import { epochOf, type FencedSubject } from './fenced-subject.ts';

/** Bytes read at once. */
const pieceBytes = 128 * 1024;

export class TranscriptCopy {
  readonly #subject: FencedSubject;
  readonly #path: (claude: string) => string | undefined;
  /** How much of which transcript is there. */
  #known: { claude: string; end: number } | undefined;
  #isOwn = false;

  /** @param path of Claude Code's file of one of its sessions; undefined when there is nothing yet */
  constructor(subject: FencedSubject, path: (claude: string) => string | undefined) {
    this.#subject = subject;
    this.#path = path;
  }

  /**
   * @param claude Claude Code's session id
   * @throws what the disk says; OutdatedError, AbandonedError
   */
  async ship(claude: string): Promise<void> {
    const path = this.#path(claude);
    if (path === undefined) return;
    const file = await open(path);
    try {
      const { size } = await file.stat();
      let offset = await this.#begin(claude, size);
      while (offset < size) {
        const piece = Buffer.alloc(Math.min(pieceBytes, size - offset));
        const { bytesRead } = await file.read(piece, 0, piece.length, offset);
        if (bytesRead === 0) break;
        await this.#append(claude, offset, piece.subarray(0, bytesRead));
        offset += bytesRead;
      }
    } finally {
      await file.close();
    }
  }

  /** An owner before may have shipped some of it; its late pieces are refused from then on. @returns where to go on */
  async #begin(claude: string, size: number): Promise<number> {
    if (!this.#isOwn) {
      const last = await this.#subject.newest();
      this.#known = last && { claude: last.header(copyHeaders.claude), end: endOf(last) };
    }
    const { claude: known, end = 0 } = this.#known ?? {};
    // Another conversation of Claude Code's, or a file that is not the one of before.
    const isAnother = known !== undefined && (known !== claude || end > size);
    const offset = isAnother ? 0 : end;
    if (!this.#isOwn || isAnother) await this.#append(claude, offset, new Uint8Array());
    this.#isOwn = true;
    if (isAnother) await this.#subject.forgetOlder();
    return offset;
  }

  async #append(claude: string, offset: number, data: Uint8Array): Promise<void> {
    await this.#subject.append(data, pieceHeaders(claude, offset));
    this.#known = { claude, end: offset + data.length };
  }
}

/** @param claude Claude Code's session id @param offset of the first byte in its file */
export const pieceHeaders = (claude: string, offset: number): Record<string, string> => ({
  [copyHeaders.claude]: claude,
  [copyHeaders.offset]: String(offset),
});

const offsetOf = (copy: StoredCopy): number => Number(copy.header(copyHeaders.offset));
const endOf = (copy: StoredCopy): number => offsetOf(copy) + copy.data.length;

/** A piece of a transcript, and where it belongs: what lies behind it is older. */
export interface TranscriptPiece {
  offset: number;
  data: Uint8Array;
}

/** @param claude Claude Code's session id @throws a timeout */
export async function* readTranscript(
  messages: AsyncIterable<StoredCopy>,
  claude: string,
): AsyncGenerator<TranscriptPiece, void, void> {
  let [newest, end] = [0, 0];
  for await (const message of messages) {
    const offset = offsetOf(message);
    if (epochOf(message) < newest || message.header(copyHeaders.claude) !== claude || !(offset <= end))
      continue;
    newest = epochOf(message);
    end = endOf(message);
    yield { offset, data: message.data };
  }
}
