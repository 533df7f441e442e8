// One subject of the stream of copies, as its owner writes it: whoever became the owner later is not written over.
import { type Clock, pause } from '../../../base/time/clock.ts';
import { copyHeaders } from '../../../protocol/cluster/cluster-copy.ts';
import { NotKeptError } from '../../app/not-kept.ts';
import type { CopyMessage, CopyStore, StoredCopy } from './copy-store.ts';

/** Until what failed is tried again, ms. */
const againMs = 250;

/** Another node owns the conversation by now. */
export class OutdatedError extends NotKeptError {
  constructor() {
    super('another node has the conversation by now');
  }
}

/** Nobody waits for it any more. */
export class AbandonedError extends NotKeptError {
  constructor() {
    super('the copy was given up');
  }
}

export interface FencedSubjectOptions {
  /** Undefined while the servers cannot be reached. */
  store(): CopyStore | undefined;
  subject: (store: CopyStore) => string;
  /** See {@link copyHeaders}. */
  epoch: number;
  /** Of this owner alone. */
  id: string;
  /** What is written fails for now, and is tried again. Absent: it is not, and whoever writes is told. */
  stuck?(error: unknown): void;
  clock: Clock;
}

export class FencedSubject {
  readonly #options: FencedSubjectOptions;
  /** Seq of the last message, as far as is known. */
  #last: number | undefined;
  /** Seqs of what this owner has written, and there may be still. */
  #own: number[] = [];
  /** Whether there may be something of an owner before. */
  #hasOthers = true;
  #entries = 0;
  #count = 0;
  #isClosed = false;

  constructor(options: FencedSubjectOptions) {
    this.#options = options;
  }

  /**
   * The newest message that there is, of whichever owner. It is tried until it is read.
   * @throws OutdatedError, AbandonedError
   */
  async newest(): Promise<StoredCopy | undefined> {
    return await this.#untilDone(async (store, subject) => {
      const found = await store.last(subject);
      this.#last = this.#seen(found);
      return { found };
    }).then(({ found }) => found);
  }

  /**
   * Writes an entry of any size behind the one before: one at a time. It is tried until it is there.
   * @returns seq of its first message
   * @throws OutdatedError, AbandonedError
   */
  async append(entry: Uint8Array, headers: Record<string, string> = {}): Promise<number> {
    const partBytes = await this.#untilDone(async (store) => store.partBytes);
    const parts = Math.max(1, Math.ceil(entry.length / partBytes));
    this.#entries += 1;
    let first = 0;
    for (let part = 1; part <= parts; part += 1) {
      const data = entry.subarray((part - 1) * partBytes, part * partBytes);
      const all = {
        ...headers,
        [copyHeaders.entry]: `${this.#entries}`,
        [copyHeaders.part]: `${part}/${parts}`,
      };
      const seq = await this.#put(data, all);
      if (part === 1) first = seq;
    }
    return first;
  }

  /** Erases what lies before a message. It stays where the servers do not answer, until the next time. */
  async forgetOlder(before: number): Promise<void> {
    const { store, subject } = this.#options;
    try {
      const stream = store();
      if (!stream) return;
      if (this.#hasOthers) await stream.erase(subject(stream), Math.min(before, this.#own[0] ?? before));
      this.#hasOthers = false;
      // What it has written itself need not be read for it.
      await stream.eraseEach(this.#own.filter((seq) => seq < before));
      this.#own = this.#own.filter((seq) => seq >= before);
    } catch {
      // The next time finds it.
    }
  }

  /**
   * Nothing that there is of it is of any use. It is tried until it is gone.
   * @param release its last message stays until this has resolved
   * @throws OutdatedError, AbandonedError; what `release` throws
   */
  async forgetAll(release: () => Promise<void> = async () => {}): Promise<void> {
    await this.newest();
    const last = this.#last ?? 0;
    await this.#forget(last);
    await release();
    await this.#forget(last + 1);
  }

  /** Nothing is written any more. */
  close(): void {
    this.#isClosed = true;
  }

  async #forget(before: number): Promise<void> {
    await this.#untilDone(async (store, subject) => {
      await store.erase(subject, before);
      return true;
    });
  }

  async #put(data: Uint8Array, headers: Record<string, string>): Promise<number> {
    const { epoch, id: owner } = this.#options;
    this.#count += 1;
    const id = `${owner}-${this.#count}`;
    const message = { id, data, headers: { ...headers, [copyHeaders.epoch]: String(epoch) } };
    const seq = await this.#untilDone((store, subject) => this.#try(store, subject, message));
    this.#own.push(seq);
    return seq;
  }

  /** @param work undefined: it has to be done again, with what is known by now */
  async #untilDone<T>(work: (store: CopyStore, subject: string) => Promise<T | undefined>): Promise<T> {
    const { store, subject, stuck, clock } = this.#options;
    for (;;) {
      if (this.#isClosed) throw new AbandonedError();
      try {
        const stream = store();
        if (!stream) throw new Error('the nats-servers cannot be reached');
        const done = await work(stream, subject(stream));
        if (done !== undefined) return done;
      } catch (error) {
        if (error instanceof OutdatedError || !stuck) throw error;
        stuck(error);
        await pause(clock, againMs);
      }
    }
  }

  async #try(store: CopyStore, subject: string, message: CopyMessage): Promise<number | undefined> {
    this.#last ??= this.#seen(await store.last(subject));
    const seq = await store.publish(subject, message, this.#last);
    if (seq !== undefined) {
      this.#last = seq;
      return seq;
    }
    const last = await store.last(subject);
    this.#last = this.#seen(last);
    // What timed out was written.
    return last?.id === message.id ? last.seq : undefined;
  }

  /** An owner before this one may have written late: nobody reads that. @throws OutdatedError for one after this one */
  #seen(last: StoredCopy | undefined): number {
    if (last && epochOf(last) > this.#options.epoch) throw new OutdatedError();
    return last?.seq ?? 0;
  }
}

export const epochOf = (copy: StoredCopy): number => Number(copy.header(copyHeaders.epoch));
