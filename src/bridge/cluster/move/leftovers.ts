// What a conversation has left on machines where it lived before: when it is removed, it is forgotten there, too, by each
// of them once it is there.
import type { Log } from '../../../base/log.ts';
import { ForgetRecord } from '../../../protocol/cluster/cluster-records.ts';
import type { Bucket } from '../bucket.ts';

export interface LeftoversOptions {
  node: string;
  /** Deletes what is kept here of a conversation that is gone. */
  forget(key: string): Promise<void>;
  log: Log;
}

export class Leftovers {
  readonly #options: LeftoversOptions;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: LeftoversOptions) {
    this.#options = options;
  }

  /**
   * Forgets what this machine is to forget, after every look before. What fails is tried again at the next one.
   * @returns conversations that are still to be forgotten; undefined when nobody can be asked
   */
  look(bucket: Bucket): Promise<ReadonlySet<string> | undefined> {
    const look = this.#last.then(() => this.#look(bucket));
    this.#last = look;
    return look;
  }

  async #look(bucket: Bucket): Promise<ReadonlySet<string> | undefined> {
    const { node, log } = this.#options;
    const left = new Set<string>();
    const orders = await bucket.list('forget.', ForgetRecord).catch(() => undefined);
    for (const { value, revision } of orders ?? [])
      if (value.nodes.includes(node))
        await this.#forget(bucket, value, revision).catch((error: unknown) => {
          left.add(value.session);
          log.warn('a conversation that was removed elsewhere is not forgotten here yet', { error });
        });
    return orders && left;
  }

  async #forget(bucket: Bucket, record: ForgetRecord, revision: number): Promise<void> {
    const { node, forget } = this.#options;
    await forget(record.session);
    const nodes = record.nodes.filter((each) => each !== node);
    // Another machine that writes at the same time has the rest done at the next look.
    if (nodes.length === 0) await bucket.delete(record.key, revision);
    else await bucket.set(record.key, { ...record, nodes }, revision);
  }
}
