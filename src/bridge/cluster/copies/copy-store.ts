// The stream of copies: what another node needs to go on with a conversation. Nothing on the servers reads it; whoever
// writes says what he believes to be the last message of the subject, and is refused when it is not. That tells a repeat
// for good, JetStream's own ids of messages for two minutes. Nothing is purged: a server before 2.9.18 that finds a purge
// in its log as it starts forgets everything that is older, of whatever subject. Nothing is rolled up either: that takes
// messages out of the stream and leaves their bytes in the server's files, where only a delete with `erase` overwrites them
// (measured on 2.9.10). And nodes keep to the size themselves, below the one that the servers have: 2.9 does not count all
// of a message before it takes it, and makes room for the rest by what is oldest, whatever `discard` says.
import {
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  type StoredMsg,
} from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { copyHeaders } from '../../../protocol/cluster/cluster-copy.ts';

/** Each call has as long, ms: without a quorum no server answers. */
const callMs = 4_000;
/** Codes of the server that the client has no name for. */
const inUseDifferently = 10_058;
/** Bytes of a message: no more, whatever the server takes; less is too little for a piece of a transcript. */
const [mostBytes, leastBytes] = [1024 * 1024, 256 * 1024];
/** Of which so many are for its headers. */
const headerBytes = 8 * 1024;
/** What a message takes besides its data, bytes: no more. */
const recordBytes = 1024;
/** Of what the servers would keep, nodes use so much. */
const usedShare = 8 / 9;
/** How long they go by what was said of it, ms. */
const roomMs = 1_000;
/** Messages. */
const erasedAtOnce = 16;
const noRoom = new Set([10_047, 10_077]);

/** There is no room on the servers. */
export class CopyFullError extends Error {
  constructor(cause?: unknown) {
    super('the stream of copies is full', { cause });
    this.name = 'CopyFullError';
  }
}

export interface StoredCopy {
  seq: number;
  /** Of this message alone. */
  id: string;
  header(name: string): string;
  data: Uint8Array;
}

export interface CopyMessage {
  id: string;
  headers: Record<string, string>;
  data: Uint8Array;
}

export class CopyStore {
  readonly #client: JetStreamClient;
  readonly #manager: JetStreamManager;
  readonly #stream: string;
  readonly #cluster: string;

  /** Most bytes of data in a message. */
  readonly partBytes: number;
  /** Bytes for which there is room, by what the servers said last, and when that was: monotonic ms. */
  #room = { bytes: 0, at: Number.NEGATIVE_INFINITY };
  #asking: Promise<void> | undefined;

  private constructor(
    client: JetStreamClient,
    manager: JetStreamManager,
    cluster: string,
    mostPayload: number,
  ) {
    this.partBytes = Math.min(mostPayload, mostBytes) - headerBytes;
    this.#client = client;
    this.#manager = manager;
    this.#stream = `COPY_${cluster}`;
    this.#cluster = cluster;
  }

  /**
   * Makes the stream if there is none.
   * @param cluster its name @param replicas servers that each message lies on
   * @param maxBytes that nodes use on each of them; of several the last one counts
   * @throws what the server says, or a timeout; in words where it takes no messages of some size
   */
  static async open(
    connection: NatsConnection,
    cluster: string,
    { replicas, maxBytes }: { replicas: number; maxBytes: number },
  ): Promise<CopyStore> {
    const payload = connection.info?.max_payload ?? mostBytes;
    if (payload < leastBytes)
      throw new Error(
        `their messages have ${payload} bytes at most, and cluster.takeover needs ${leastBytes}: raise max_payload in their configuration`,
      );
    const client = jetstream(connection, { timeout: callMs });
    const store = new CopyStore(client, await client.jetstreamManager(false), cluster, payload);
    const { streams } = store.#manager;
    const max_bytes = Math.ceil(maxBytes / usedShare);
    try {
      await streams.add({
        name: store.#stream,
        subjects: [`${cluster}.copy.*`, `${cluster}.file.*`],
        num_replicas: replicas,
        max_bytes,
        storage: 'file',
        discard: 'new',
        allow_direct: false,
        // Of releases before, whose nodes roll up: a stream of theirs is the same one.
        allow_rollup_hdrs: true,
      });
    } catch (error) {
      // As another node made it, or this one with other settings: only its size may change.
      if (!(error instanceof JetStreamApiError) || error.code !== inUseDifferently) throw error;
      await streams.update(store.#stream, { max_bytes });
    }
    return store;
  }

  /** @param digest of the conversation's key */
  subjectOf(kind: 'copy' | 'file', digest: string): string {
    return `${this.#cluster}.${kind}.${digest}`;
  }

  /**
   * @param last seq of what is believed to be the last message of the subject; 0 for none
   * @returns its seq; undefined when that is not the last one
   * @throws CopyFullError, or a timeout: it may be stored all the same
   */
  async publish(subject: string, message: CopyMessage, last: number): Promise<number | undefined> {
    const all = headers();
    all.set(copyHeaders.id, message.id);
    for (const [name, value] of Object.entries(message.headers)) all.set(name, value);
    const bytes = message.data.length + recordBytes;
    await this.#look();
    if (this.#room.bytes < bytes) throw new CopyFullError();
    // What is on its way counts; what came to nothing does for a moment only.
    this.#room.bytes -= bytes;
    try {
      const ack = await this.#client.publish(subject, message.data, {
        headers: all,
        timeout: callMs,
        expect: { lastSubjectSequence: last },
      });
      return ack.seq;
    } catch (error) {
      if (!(error instanceof JetStreamApiError)) throw error;
      if (noRoom.has(error.code)) throw new CopyFullError(error);
      if (error.code === JetStreamApiCodes.StreamWrongLastSequence) return undefined;
      throw error;
    }
  }

  /** @returns undefined when there is none @throws a timeout */
  async last(subject: string): Promise<StoredCopy | undefined> {
    const found = await this.#manager.streams.getMessage(this.#stream, { last_by_subj: subject });
    return found ? storedCopy(found) : undefined;
  }

  /** All messages of a subject, oldest first. @throws a timeout */
  async *read(subject: string): AsyncGenerator<StoredCopy, void, void> {
    for (let seq = 1; ; ) {
      // The client hands on what it has no type for: the first message of such a subject from there on.
      const next = { seq, next_by_subj: subject } as { seq: number };
      const found = await this.#manager.streams.getMessage(this.#stream, next);
      if (!found) return;
      yield storedCopy(found);
      seq = found.seq + 1;
    }
  }

  /**
   * Erases messages of a subject one by one, oldest first.
   * @param before the first one that stays @throws a timeout: some of them may be left then
   */
  async erase(subject: string, before: number): Promise<void> {
    for await (const { seq } of this.read(subject)) {
      if (seq >= before) return;
      await this.#erase(seq);
    }
  }

  /** Erases messages by their numbers, in any order. @throws a timeout: some of them may be left then */
  async eraseEach(seqs: readonly number[]): Promise<void> {
    const left = [...seqs];
    const work = async () => {
      for (let seq = left.pop(); seq !== undefined; seq = left.pop()) await this.#erase(seq);
    };
    await Promise.all(Array.from({ length: erasedAtOnce }, work));
  }

  /** What is known of the room is not older than a moment then. @throws a timeout */
  async #look(): Promise<void> {
    if (performance.now() - this.#room.at <= roomMs) return;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    await this.#asking;
  }

  async #ask(): Promise<void> {
    const { config, state } = await this.#manager.streams.info(this.#stream);
    this.#room = { bytes: config.max_bytes * usedShare - state.bytes, at: performance.now() };
  }

  async #erase(seq: number): Promise<void> {
    const { streams } = this.#manager;
    try {
      // True: their bytes are overwritten. With false they can still be read in the server's files.
      await streams.deleteMessage(this.#stream, seq, true);
    } catch (error) {
      // Somebody else was faster: the server has one code for whatever fails.
      if (!(error instanceof JetStreamApiError) || (await streams.getMessage(this.#stream, { seq })))
        throw error;
    }
  }
}

const storedCopy = (found: StoredMsg): StoredCopy => ({
  seq: found.seq,
  id: found.header.get(copyHeaders.id),
  header: (name) => found.header.get(name),
  data: found.data,
});
