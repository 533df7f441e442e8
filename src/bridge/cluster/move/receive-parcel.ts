import type { Duplex } from 'node:stream';
import { LineSplitter } from '../../../base/text/lines.ts';
import type { ConversationFiles } from '../files/conversation-files.ts';
import { longestLine, type ParcelHead, ParcelLine, type Receipt } from './parcel.ts';
import { TranscriptFile } from './transcript-file.ts';

export interface ParcelPort {
  /** Where the transcript of a conversation belongs. */
  transcriptFor(session: string, claude: string): string;
  /** Whether it may come at all. @throws in words when not */
  expect(session: string, from: string): void;
  /** All of it is here. Resolves when it is on disk. @throws in words when it cannot be kept */
  arrive(head: ParcelHead): Promise<void>;
  files: Pick<ConversationFiles, 'write'>;
  look(session: string): Promise<void>;
}

/** Takes one conversation, or one word about one, from another machine, and answers. Never rejects. */
export async function receiveParcel(far: Duplex, port: ParcelPort): Promise<void> {
  far.on('error', () => far.destroy());
  const receipt = await receive(far, port).then(
    (files): Receipt => ({ ok: true, ...(files && { files }) }),
    (error: unknown): Receipt => ({
      ok: false,
      words: error instanceof Error ? error.message : String(error),
    }),
  );
  far.end(JSON.stringify(receipt));
}

/** @returns whether files of the conversation came with it, and are kept */
async function receive(far: Duplex, port: ParcelPort): Promise<boolean> {
  const splitter = new LineSplitter(longestLine);
  let parcel: { head: ParcelHead; transcript: TranscriptFile | undefined } | undefined;
  try {
    // It is answered on the same connection, also where not all of it was read.
    for await (const chunk of far.iterator({ destroyOnReturn: false })) {
      for (const text of splitter.push(chunk as Buffer)) {
        const line = ParcelLine.parse(JSON.parse(text));
        if (line.kind === 'look') {
          await port.look(line.session);
          return false;
        }
        if (line.kind === 'conversation') {
          if (parcel) throw new Error('A parcel holds one conversation.');
          port.expect(line.session, line.from);
          const { session, claude } = line;
          const path = claude === null ? undefined : port.transcriptFor(session, claude);
          parcel = { head: line, transcript: path === undefined ? undefined : new TranscriptFile(path) };
        } else if (!parcel) throw new Error('A parcel begins with what it is.');
        else if (line.kind === 'transcript') {
          if (!parcel.transcript)
            throw new Error('A conversation without a Claude session has no transcript.');
          parcel.transcript.add(Buffer.from(line.data, 'base64'));
        } else {
          parcel.transcript?.keep();
          const { session, files } = parcel.head;
          // Not before it is sure that no other one of its name is here.
          await port.arrive(parcel.head);
          if (files) await port.files.write(session, files);
          return files !== undefined;
        }
      }
    }
    throw new Error('The connection ended before the conversation was complete.');
  } finally {
    parcel?.transcript?.close();
  }
}
