// Claude Code's transcript of a conversation in the stream of copies: what it appended since it was looked at last.
import { open } from 'node:fs/promises';
import { copyHeaders } from '../../../protocol/cluster/cluster-copy.ts';
import type { StoredCopy } from './copy-store.ts';
import { epochOf, type FencedSubject } from './fenced-subject.ts';

/** Bytes read at once. */
const pieceBytes = 128 * 1024;

interface Known {
  claude: string;
  end: number;
  /** All of it that was to be written in place of what was there before. */
  isWhole: boolean;
}

export class TranscriptCopy {
  readonly #subject: FencedSubject;
  readonly #path: (claude: string) => string | undefined;
  /** How much of which transcript is there. */
  #known: Known | undefined;
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
      let { offset, anew } = await this.#begin(claude, size);
      const first = anew ? await this.#append(claude, 0, new Uint8Array(), size) : undefined;
      while (offset < size) {
        const piece = Buffer.alloc(Math.min(pieceBytes, size - offset));
        const { bytesRead } = await file.read(piece, 0, piece.length, offset);
        if (bytesRead === 0) break;
        await this.#append(claude, offset, piece.subarray(0, bytesRead), anew ? size : undefined);
        offset += bytesRead;
      }
      // What it replaces was all there was until here.
      if (first !== undefined) await this.#subject.forgetOlder(first);
    } finally {
      await file.close();
    }
  }

  /** An owner before may have shipped some of it; its late pieces are refused from then on. */
  async #begin(claude: string, size: number): Promise<{ offset: number; anew: boolean }> {
    const isNew = !this.#isOwn;
    if (isNew) this.#known = knownFrom(await this.#subject.newest());
    const { claude: known, end = 0, isWhole = true } = this.#known ?? {};
    // Another conversation of Claude Code's, or a file that is not the one of before.
    const anew = known !== undefined && (known !== claude || end > size || !isWhole);
    if (isNew && !anew) await this.#append(claude, end, new Uint8Array());
    this.#isOwn = true;
    return { offset: anew ? 0 : end, anew };
  }

  async #append(claude: string, offset: number, data: Uint8Array, size?: number): Promise<number> {
    const end = offset + data.length;
    const seq = await this.#subject.append(data, pieceHeaders(claude, offset, size));
    this.#known = { claude, end, isWhole: size === undefined || end >= size };
    return seq;
  }
}

/**
 * @param claude Claude Code's session id @param offset of the first byte in its file
 * @param size of what takes the place of all that was there before, once so much of it is there
 */
export const pieceHeaders = (claude: string, offset: number, size?: number): Record<string, string> => ({
  [copyHeaders.claude]: claude,
  [copyHeaders.offset]: String(offset),
  ...(size !== undefined && { [copyHeaders.size]: String(size) }),
});

const offsetOf = (copy: StoredCopy): number => Number(copy.header(copyHeaders.offset));
const endOf = (copy: StoredCopy): number => offsetOf(copy) + copy.data.length;
/** NaN for a piece that goes on with what is there. */
const sizeOf = (copy: StoredCopy): number => Number(copy.header(copyHeaders.size) || Number.NaN);

function knownFrom(last: StoredCopy | undefined): Known | undefined {
  if (!last) return undefined;
  return {
    claude: last.header(copyHeaders.claude),
    end: endOf(last),
    isWhole: !(endOf(last) < sizeOf(last)),
  };
}

/** A piece of a transcript, and where it belongs: what lies behind it is older. */
export interface TranscriptPiece {
  offset: number;
  data: Uint8Array;
}

/** The servers have lost a piece of it, or do not show it now. */
export class TranscriptGapError extends Error {
  constructor() {
    super('a transcript that the servers keep is not whole');
    this.name = 'TranscriptGapError';
  }
}

/** @param claude Claude Code's session id @throws TranscriptGapError, or a timeout */
export async function* readTranscript(
  messages: AsyncIterable<StoredCopy>,
  claude: string,
): AsyncGenerator<TranscriptPiece, void, void> {
  let [newest, end, hasGap] = [0, 0, false];
  /** What is to take the place of all that was there before: nothing of it counts until it is whole. */
  let anew: { epoch: number; pieces: TranscriptPiece[]; end: number } | undefined;
  for await (const message of messages) {
    const [epoch, offset, size] = [epochOf(message), offsetOf(message), sizeOf(message)];
    if (epoch < newest || message.header(copyHeaders.claude) !== claude) continue;
    const piece = { offset, data: message.data };
    if (anew && epoch > anew.epoch) anew = undefined;
    if (offset === 0 && size >= 0) anew = { epoch, pieces: [], end: 0 };
    newest = epoch;
    if (!(offset <= (anew ?? { end }).end)) {
      hasGap = true;
      continue;
    }
    if (!anew) {
      end = endOf(message);
      yield piece;
      continue;
    }
    anew.pieces.push(piece);
    anew.end = endOf(message);
    if (anew.end < size) continue;
    yield* anew.pieces;
    end = anew.end;
    anew = undefined;
    hasGap = false;
  }
  if (hasGap) throw new TranscriptGapError();
}
