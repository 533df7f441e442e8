// The conversations of this machine that lie in the stream of copies, too, so that another one can go on with them.

import { hashId } from '../../../base/digest.ts';
import type { Log } from '../../../base/log.ts';
import type { Clock } from '../../../base/time/clock.ts';
import type { Session } from '../../../domain/state/session.ts';
import { snapshotOf } from '../../../domain/state/snapshot.ts';
import type { CarriedFile } from '../../../protocol/cluster/carried-files.ts';
import type { CarriedState } from '../../../protocol/cluster/cluster-copy.ts';
import type { JournalRow } from '../../../protocol/events/events.ts';
import type { CopyPort } from '../../app/ports.ts';
import type { CopyStore } from './copy-store.ts';
import { OutdatedError } from './fenced-subject.ts';
import { SessionCopy } from './session-copy.ts';

export interface CopiesOptions {
  node: string;
  /** Of this start of the bridge. */
  instance: string;
  /** Undefined while the servers cannot be reached. */
  store(): CopyStore | undefined;
  /** See `Homes.own`. */
  own(key: string): Promise<number | undefined>;
  session(key: string): Session | undefined;
  /** Seq of the newest row there is. */
  seq(): number;
  transcript(claude: string): string | undefined;
  files(key: string): Promise<CarriedFile[] | undefined>;
  /** Another node has it by now. */
  lost(key: string): void;
  clock: Clock;
  log: Log;
}

export class Copies implements CopyPort {
  readonly #options: CopiesOptions;
  readonly #copies = new Map<string, SessionCopy>();
  #count = 0;

  constructor(options: CopiesOptions) {
    this.#options = options;
  }

  /** Keys of all that are kept. */
  get keys(): string[] {
    return [...this.#copies.keys()];
  }

  /** There is no room on the servers. */
  get isAnyFull(): boolean {
    return this.#copies.values().some(({ isFull }) => isFull);
  }

  has(key: string): boolean {
    return this.#copies.has(key);
  }

  /** From now on it is kept, beginning with all that there is of it. */
  begin(key: string): void {
    const { node, instance, store, own, seq, transcript, files, lost, clock, log, session } = this.#options;
    this.drop(key);
    this.#count += 1;
    const copy = new SessionCopy({
      key,
      node,
      id: `${instance}-${this.#count}`,
      digest: hashId(key, 32),
      store,
      own: () => own(key),
      seq,
      now: () => {
        const now = session(key);
        return { state: carried(now), claude: now?.claude?.id };
      },
      transcript,
      files: () => files(key),
      lost: () => {
        if (this.#copies.get(key) === copy) lost(key);
      },
      clock,
      log,
    });
    this.#copies.set(key, copy);
  }

  add(row: JournalRow): void {
    this.#copies.get(row.session)?.add(row);
  }

  /** It is not kept from here any more; what lies there stays. */
  drop(key: string): void {
    this.#copies.get(key)?.close();
    this.#copies.delete(key);
  }

  /**
   * It was removed: nothing of it stays there. Resolves when it is gone, as late as that may be.
   * @param release gives up its home
   */
  async end(key: string, release: () => Promise<void>): Promise<void> {
    const copy = this.#copies.get(key);
    let isReleased = false;
    const releaseOnce = async () => {
      isReleased = true;
      await release();
    };
    try {
      await copy?.erase(releaseOnce);
    } catch (error) {
      // What has begun under its name writes over what is left of it.
      if (!(error instanceof OutdatedError) || [undefined, copy].includes(this.#copies.get(key))) throw error;
    }
    if (!isReleased) await release();
    if (this.#copies.get(key) === copy) this.#copies.delete(key);
  }

  isFull(key: string): boolean {
    return this.#copies.get(key)?.isStuck ?? false;
  }

  durable(key: string, seq: number): Promise<void> | undefined {
    return this.#copies.get(key)?.durable(seq);
  }

  kept(key: string, seq: number): Promise<boolean> | undefined {
    return this.#copies.get(key)?.kept(seq);
  }

  /** Resolves when everything is there, as late as that may be. */
  async close(): Promise<void> {
    const all = [...this.#copies.values()];
    await Promise.allSettled(all.map((copy) => copy.durable(this.#options.seq())));
    for (const key of this.keys) this.drop(key);
  }
}

/** @throws a timeout: some of it may be there still */
export async function erase(store: CopyStore, key: string): Promise<void> {
  const digest = hashId(key, 32);
  for (const kind of ['file', 'copy'] as const)
    await store.erase(store.subjectOf(kind, digest), Number.POSITIVE_INFINITY);
}

/** As whoever takes it over has it: it lives there. */
function carried(session: Session | undefined): CarriedState {
  if (!session) throw new Error('a copy of what is not known');
  const { move, ...rest } = session;
  const lives = move?.as === 'arriving' ? { ...rest, removed: false } : rest;
  return { ...snapshotOf(lives) } as unknown as CarriedState;
}
