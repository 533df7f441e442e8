import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Duplex } from 'node:stream';
import { LineSplitter } from '../../../base/lines.ts';
import { longestLine, type ParcelHead, ParcelLine, type Receipt } from './parcel.ts';

export interface ParcelPort {
  /** Where the transcript of a conversation belongs. */
  transcriptFor(session: string, claude: string): string;
  /** Whether it may come at all. @throws in words when not */
  expect(session: string, from: string): void;
  /** All of it is here. Resolves when it is on disk. @throws in words when it cannot be kept */
  arrive(head: ParcelHead): Promise<void>;
  look(session: string): Promise<void>;
}

/** Takes one conversation, or one word about one, from another machine, and answers. Never rejects. */
export async function receiveParcel(far: Duplex, port: ParcelPort): Promise<void> {
  far.on('error', () => far.destroy());
  const receipt = await receive(far, port).then(
    (): Receipt => ({ ok: true }),
    (error: unknown): Receipt => ({
      ok: false,
      words: error instanceof Error ? error.message : String(error),
    }),
  );
  far.end(JSON.stringify(receipt));
}

async function receive(far: Duplex, port: ParcelPort): Promise<void> {
  const splitter = new LineSplitter(longestLine);
  let parcel: Parcel | undefined;
  try {
    // It is answered on the same connection, also where not all of it was read.
    for await (const chunk of far.iterator({ destroyOnReturn: false })) {
      for (const text of splitter.push(chunk as Buffer)) {
        const line = ParcelLine.parse(JSON.parse(text));
        if (line.kind === 'look') return await port.look(line.session);
        if (line.kind === 'conversation') {
          if (parcel) throw new Error('A parcel holds one conversation.');
          port.expect(line.session, line.from);
          parcel = new Parcel(line, port);
        } else if (!parcel) throw new Error('A parcel begins with what it is.');
        else if (line.kind === 'transcript') parcel.add(Buffer.from(line.data, 'base64'));
        else {
          parcel.keep();
          return await port.arrive(parcel.head);
        }
      }
    }
    throw new Error('The connection ended before the conversation was complete.');
  } finally {
    parcel?.close();
  }
}

/** Its transcript is written beside the place where it belongs, and takes that when it is whole. */
class Parcel {
  readonly head: ParcelHead;
  readonly #path: string | undefined;
  #file: number | undefined;

  constructor(head: ParcelHead, port: ParcelPort) {
    this.head = head;
    this.#path = head.claude === null ? undefined : port.transcriptFor(head.session, head.claude);
  }

  add(bytes: Uint8Array): void {
    if (this.#path === undefined)
      throw new Error('A conversation without a Claude session has no transcript.');
    if (this.#file === undefined) {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      rmSync(this.#aside, { force: true });
      this.#file = openSync(this.#aside, 'wx', 0o600);
    }
    writeSync(this.#file, bytes);
  }

  keep(): void {
    if (this.#file === undefined || this.#path === undefined) return;
    fsyncSync(this.#file);
    closeSync(this.#file);
    this.#file = undefined;
    renameSync(this.#aside, this.#path);
  }

  /** What is not whole goes away. */
  close(): void {
    if (this.#file === undefined) return;
    closeSync(this.#file);
    rmSync(this.#aside, { force: true });
  }

  get #aside(): string {
    return `${this.#path}.arriving`;
  }
}
