// Takes conversations that were removed here off the servers. What is still to be done is on this machine's disk, so neither
// servers that are away nor a kill leave anything there, and nobody takes it over from there again.
import { randomUUID } from 'node:crypto';
import { hashId } from '../../../base/digest.ts';
import type { Log } from '../../../base/log.ts';
import type { Clock } from '../../../base/time/clock.ts';
import type { Erasure } from '../../../protocol/cluster/erasure.ts';
import type { CopyStore } from '../copies/copy-store.ts';
import { eraseRemoved } from '../copies/erase-removed.ts';
import { FencedSubject, OutdatedError } from '../copies/fenced-subject.ts';
import type { Homes } from '../homes.ts';

/** `bridge/erasure-file` fits by shape. */
export interface ErasureStore {
  /** @throws when what is there cannot be read */
  load(): Erasure[];
  /** @throws what the disk says */
  save(due: readonly Erasure[]): void;
}

export interface EraserOptions {
  file: ErasureStore;
  homes: Pick<Homes, 'own' | 'read' | 'release'>;
  /** @throws what the servers say */
  store(): Promise<CopyStore>;
  /** Whether a conversation of that name is here: it writes over what is left of the one before. */
  has(key: string): boolean;
  clock: Clock;
  log: Log;
}

export class Eraser {
  readonly #options: EraserOptions;
  /** By their keys. */
  readonly #due = new Map<string, Erasure>();
  readonly #underWay = new Map<string, Promise<void>>();
  /** Which node goes on with one that was removed here: it was taken over before the servers could be told. */
  readonly #taken = new Map<string, string>();
  #looking: Promise<void> | undefined;

  constructor(options: EraserOptions) {
    this.#options = options;
    try {
      for (const erasure of options.file.load()) this.#due.set(erasure.session, erasure);
    } catch (error) {
      options.log.error('what is to be erased on the nats-servers cannot be read', { error });
    }
  }

  /** Keys of what is not erased yet, each with the node that goes on with it, if there is one. */
  get left(): ReadonlyMap<string, string | undefined> {
    return new Map([...this.#due.keys()].map((key) => [key, this.#taken.get(key)]));
  }

  has(key: string): boolean {
    return this.#due.has(key);
  }

  /** Resolves when what is under way for a conversation is over, whatever came of it. */
  async over(key: string): Promise<void> {
    await this.#underWay.get(key)?.catch(() => {});
  }

  /**
   * A conversation was removed. What is to be done is on the disk when this returns.
   * @param work erases it @returns when that is done @throws what `work` throws; it is tried again then
   */
  removed(erasure: Erasure, work: () => Promise<void>): Promise<void> {
    this.#due.set(erasure.session, erasure);
    this.#save();
    return this.#run(erasure, work);
  }

  /** Does what is left to be done, once the servers are there. Never rejects. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(): Promise<void> {
    for (const erasure of [...this.#due.values()]) {
      const { session } = erasure;
      if (this.#underWay.has(session)) continue;
      if (this.#options.has(session)) this.#done(erasure);
      else
        await this.#run(erasure, () => this.#erase(erasure)).catch((error: unknown) =>
          this.#options.log.debug('a removed conversation is not erased yet', { session, error }),
        );
    }
  }

  #run(erasure: Erasure, work: () => Promise<void>): Promise<void> {
    const { session } = erasure;
    const run = this.#work(erasure, work).finally(() => {
      if (this.#underWay.get(session) === run) this.#underWay.delete(session);
    });
    this.#underWay.set(session, run);
    return run;
  }

  async #work(erasure: Erasure, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#done(erasure);
    } catch (error) {
      const { session } = erasure;
      const node = error instanceof OutdatedError ? await this.#options.homes.read(session) : undefined;
      if (node !== undefined) this.#taken.set(session, node);
      throw error;
    }
  }

  async #erase({ session, forget }: Erasure): Promise<void> {
    const { homes, clock } = this.#options;
    const epoch = await homes.own(session, true);
    if (epoch === undefined) throw new OutdatedError();
    const store = await this.#options.store();
    const subject = (kind: 'copy' | 'file') =>
      new FencedSubject({
        store: () => store,
        subject: () => store.subjectOf(kind, hashId(session, 32)),
        epoch,
        id: `${randomUUID()}-${kind}`,
        clock,
      });
    const both = { rows: subject('copy'), files: subject('file') };
    await eraseRemoved(both, clock.wall(), () => homes.release(session, forget));
  }

  #done(erasure: Erasure): void {
    const { session } = erasure;
    // It may have begun anew and been removed again meanwhile.
    if (this.#due.get(session) !== erasure) return;
    this.#due.delete(session);
    this.#taken.delete(session);
    this.#save();
  }

  #save(): void {
    try {
      this.#options.file.save([...this.#due.values()]);
    } catch (error) {
      this.#options.log.warn('what is to be erased on the nats-servers is not on the disk', { error });
    }
  }
}
