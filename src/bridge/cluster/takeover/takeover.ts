// What lived on a machine that is gone goes on here. The bucket says whose it is: who is first has it.

import { randomUUID } from 'node:crypto';
import { hashId } from '../../../base/digest.ts';
import type { Log } from '../../../base/log.ts';
import type { Clock } from '../../../base/time/clock.ts';
import { snapshotOf } from '../../../domain/state/snapshot.ts';
import type { Turn } from '../../../domain/state/turn.ts';
import type { CopyEntry } from '../../../protocol/cluster/cluster-copy.ts';
import type { HomeRecord } from '../../../protocol/cluster/cluster-records.ts';
import type { Entry } from '../bucket.ts';
import type { CopyStore, StoredCopy } from '../copies/copy-store.ts';
import { eraseRemoved } from '../copies/erase-removed.ts';
import { FencedSubject } from '../copies/fenced-subject.ts';
import { CopyUnreadableError, type Kept, readCopy } from '../copies/read-copy.ts';
import {
  pieceHeaders,
  readTranscript,
  TranscriptGapError,
  type TranscriptPiece,
} from '../copies/transcript-copy.ts';
import type { ConversationFiles } from '../files/conversation-files.ts';
import type { Homes } from '../homes.ts';
import { TranscriptFile } from '../move/transcript-file.ts';

/** Conversations that are taken over at once. */
const atOnce = 16;
/** Until what could not go on here is looked at again, ms. */
const againMs = 30_000;

export interface TakeoverPort {
  /** Why it cannot live here, in words; undefined when it can. */
  refusal(key: string): string | undefined;
  has(key: string): boolean;
  /** Where the transcript of a conversation belongs. */
  transcriptFor(key: string, claude: string): string;
  /** Resolves when no Claude Code runs any more that had it here before: it would write into what comes. @throws in words */
  free(key: string): Promise<void>;
  /** All of it is on the disk; nothing of it is begun. @param from the machine that it was on */
  arrive(key: string, from: string, state: Record<string, unknown>): Promise<void>;
  /** It lives here, and what waits goes on. */
  house(key: string): Promise<void>;
}

export interface TakeoverOptions {
  node: string;
  homes: Pick<Homes, 'list' | 'take' | 'give' | 'release'>;
  store(): CopyStore | undefined;
  /** Nodes that have lost what they had. */
  gone(): ReadonlySet<string>;
  port: TakeoverPort;
  files: Pick<ConversationFiles, 'write'>;
  clock: Clock;
  log: Log;
}

export class Takeover {
  readonly #options: TakeoverOptions;
  #looking: Promise<void> | undefined;
  /** What is, or was to be, taken over: until all of it is here nothing may begin under its name. */
  readonly #under = new Map<string, Promise<boolean>>();
  /** What of nodes that are gone cannot go on here, and why, in words. */
  readonly refused = new Map<string, string>();
  #known: { lost: string; at: number } | undefined;
  /** What this node has, and has nothing of on its disk, was looked for. */
  #hasSwept = false;
  readonly #swept = Promise.withResolvers<void>();

  constructor(options: TakeoverOptions) {
    this.#options = options;
  }

  /** Resolves when it is here, if it is to be. @returns false when that came to nothing, and is tried again */
  async settled(key: string): Promise<boolean> {
    // What its disk has lost would begin anew over what the servers keep.
    if (!this.#hasSwept && !this.#options.port.has(key)) {
      await Promise.race([this.look(), this.#swept.promise]);
      if (!this.#hasSwept) return false;
    }
    return (await this.#under.get(key)) ?? true;
  }

  /** Takes what may be taken. Never rejects. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch((error: unknown) => this.#options.log.debug('what is gone could not be looked for', { error }))
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  async #look(): Promise<void> {
    const { homes, gone, clock } = this.#options;
    const lost = gone();
    if (lost.size === 0) this.refused.clear();
    if (this.#isKnown([...lost].sort().join())) return;
    this.refused.clear();
    const waiting = (await homes.list()).filter(({ value }) => this.#isWanted(value, lost));
    for (const key of this.#under.keys())
      if (!waiting.some(({ value }) => value.session === key)) this.#under.delete(key);
    const due = waiting.map((home) => ({ home, taken: Promise.withResolvers<boolean>() }));
    for (const { home, taken } of due) this.#under.set(home.value.session, taken.promise);
    this.#hasSwept = true;
    this.#swept.resolve();
    const work = async () => {
      for (let next = due.pop(); next; next = due.pop()) {
        const isTaken = await this.#take(next.home);
        next.taken.resolve(isTaken);
        if (isTaken) this.#under.delete(next.home.value.session);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    this.#known = { lost: [...lost].sort().join(), at: clock.now() };
  }

  /** Those that were gone before have nothing new; what could not go on here is looked at again after a while. */
  #isKnown(lost: string): boolean {
    if (this.#under.size > 0 || !this.#hasSwept) return false;
    const { at, lost: before } = this.#known ?? { at: 0, lost: '' };
    return lost === before && (lost === '' || this.#options.clock.now() - at < againMs);
  }

  #isWanted({ session, node, takeover }: HomeRecord, lost: ReadonlySet<string>): boolean {
    const { port, node: own } = this.#options;
    if (!takeover || port.has(session)) return false;
    return lost.has(node) || (node === own && (!this.#hasSwept || this.#under.has(session)));
  }

  /** @returns false when it is this node's, and not here */
  async #take(home: Entry<HomeRecord>): Promise<boolean> {
    const { node, homes, port, files, log } = this.#options;
    const { session: key, node: from } = home.value;
    const refusal = port.refusal(key);
    if (refusal !== undefined) {
      this.refused.set(key, refusal);
      return from !== node;
    }
    try {
      const epoch = await homes.take(home);
      if (epoch === undefined) return true;
      await port.free(key);
      const kept = await this.#read(key, epoch);
      if (!kept) return true;
      if (kept.files) await files.write(key, kept.files);
      await port.arrive(key, from, { ...snapshotOf(kept.session) });
      await port.house(key);
      log.info('taken over', { session: key, from });
      return true;
    } catch (error) {
      log.warn('a conversation could not be taken over yet', { session: key, from, error });
      if (!(error instanceof CopyUnreadableError)) return false;
      // Another node may be able to.
      this.refused.set(key, error.message);
      return await homes.give(key, from).then(
        () => true,
        () => false,
      );
    }
  }

  /** @returns undefined when it was removed; then nothing of it stays */
  async #read(key: string, epoch: number): Promise<Kept | undefined> {
    const { node, port, homes, clock } = this.#options;
    const taken: CopyEntry = { kind: 'taken', version: 1, node };
    const [rows, files] = [this.#subject('copy', key, epoch), this.#subject('file', key, epoch)];
    const kept = await readCopy(key, this.#before(rows, JSON.stringify(taken)));
    if (!kept) {
      const both = { rows: rows.fence, files: files.fence };
      await eraseRemoved(both, clock.wall(), () => homes.release(key, true));
      return undefined;
    }
    const { claude, turns } = kept.session;
    if (claude) {
      const pieces = readTranscript(this.#before(files, ''), claude.id);
      const end = await keepTranscript(port.transcriptFor(key, claude.id), pieces).catch((error: unknown) => {
        throw error instanceof TranscriptGapError ? CopyUnreadableError.notWhole(key) : error;
      });
      // Of what Claude has answered there is something.
      if (end === 0 && turns.some(isAnswered)) throw CopyUnreadableError.notWhole(key);
      // From where it goes on.
      await files.fence.append(new Uint8Array(), pieceHeaders(claude.id, end));
    }
    return kept;
  }

  #subject(kind: 'copy' | 'file', key: string, epoch: number): Subject {
    const store = this.#store;
    const name = store.subjectOf(kind, hashId(key, 32));
    const id = `${randomUUID()}-${kind}`;
    const { clock } = this.#options;
    const fence = new FencedSubject({ store: () => store, subject: () => name, epoch, id, clock });
    return { store, name, fence };
  }

  /**
   * What an owner before has written. First of all that one is kept from writing more: else something that was
   * acknowledged could come after what was read. Who reads from a server that is behind does not see the mark.
   */
  async *#before({ store, name, fence }: Subject, mark: string): AsyncGenerator<StoredCopy, void, void> {
    const end = await fence.append(Buffer.from(mark));
    for await (const message of store.read(name)) {
      if (message.seq === end) return;
      yield message;
    }
    throw new Error('the servers have not shown all of it');
  }

  get #store(): CopyStore {
    const store = this.#options.store();
    if (!store) throw new Error('the nats-servers cannot be reached');
    return store;
  }
}

const isAnswered = ({ phase }: Turn): boolean => phase.name === 'settled' && phase.outcome === 'completed';

interface Subject {
  store: CopyStore;
  name: string;
  fence: FencedSubject;
}

/** @returns its length, of whole lines */
async function keepTranscript(path: string, pieces: AsyncIterable<TranscriptPiece>): Promise<number> {
  const file = new TranscriptFile(path);
  try {
    for await (const { offset, data } of pieces) file.add(data, offset);
    return file.keep();
  } finally {
    file.close();
  }
}
